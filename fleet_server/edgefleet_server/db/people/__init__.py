"""Users, credentials, OpenID logins, audit log."""
