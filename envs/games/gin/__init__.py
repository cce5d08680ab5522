"""Gin Rummy and Oklahoma."""
