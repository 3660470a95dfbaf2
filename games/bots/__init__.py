"""What bots of several games share: playouts, determinizations, searches."""
