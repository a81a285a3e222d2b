"""Chainlit as the named alternative: in a virtual environment and a process of its own."""
