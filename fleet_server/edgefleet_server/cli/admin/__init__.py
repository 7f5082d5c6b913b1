"""Users, tokens, audit, backup, signing, trust."""
