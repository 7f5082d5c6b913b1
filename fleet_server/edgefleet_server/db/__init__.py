"""SQLite through SQLModel: engine, tables, queries, migrations. The only room that speaks SQL. Times are seconds since 1970."""
