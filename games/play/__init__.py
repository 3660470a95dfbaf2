"""What games that are played share: hands, layouts, tricks."""
