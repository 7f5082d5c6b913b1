"""Services used by routes: rollout previews and plans, experiments, bulk actions, effective settings."""
