"""What could be played tonight: formats proposed, and each of them simulated."""
