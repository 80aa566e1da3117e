"""What stands between the network and the application, and what those who run it look at: a wing of the web room."""
