"""Engines that can hold a shared index."""
