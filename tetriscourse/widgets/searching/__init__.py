"""The search panel: two moves deep, branch by branch."""
