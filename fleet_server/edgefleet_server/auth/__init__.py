"""Sign-in: sessions, API tokens, OpenID Connect."""
