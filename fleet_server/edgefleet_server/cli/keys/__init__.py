"""Commands for the keys of a fleet: the certificate authority, the root of its signatures."""
