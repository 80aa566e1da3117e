"""Names of genes, families, chemicals and diseases: how they are written, and what they may stand for."""
