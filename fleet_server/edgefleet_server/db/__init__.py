"""Tables and queries on SQLite and PostgreSQL. The only package that speaks SQL. Times are seconds since 1970."""
