"""What is shown to people: the comparison of the demo, and the HTML report."""
