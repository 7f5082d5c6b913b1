"""Work of several routes: rollout previews and plans, experiments, bulk actions, effective settings."""
