"""Protocols, significance, tables and plots."""
