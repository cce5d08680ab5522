"""Naive reference engines: written from the rules alone, they import nothing of `rummyzoo`.

The real engine is played in lock step with them. They are meant to be read and audited by a
card player, so they prefer plain lists, dicts and searching over anything clever.
"""
