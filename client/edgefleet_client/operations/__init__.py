"""Operations of the REST API: one class a tag, one method an operation."""
