"""Learning a policy from samples of play: policy iteration, policy gradients, linear programming, classification."""
