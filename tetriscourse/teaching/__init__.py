"""Tools for teachers: build the notebooks, release them, validate them, grade what comes back."""
