"""Tables and queries on SQLite and PostgreSQL. The only package that contains SQL. Times are seconds since 1970."""
