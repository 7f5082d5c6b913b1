"""TUF repository, keys, delegations."""
