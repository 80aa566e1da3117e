"""What a classifier sees of a candidate: feature parts, one a file, side by side in a feature map."""
