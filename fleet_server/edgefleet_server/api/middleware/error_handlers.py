"""Maps the errors of this package and of the framework to problems of RFC 9457."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from edgefleet_server.api.error_responses import error_response, problem_response
from edgefleet_server.api.middleware.field_errors import field_errors, line_of
from edgefleet_server.api.middleware.request_guard import TooLargeError
from edgefleet_server.core.errors import EdgefleetError


def install(app: FastAPI) -> None:
    """Install handlers that answer every error with a problem; invalid fields are listed in its `errors`."""

    @app.exception_handler(EdgefleetError)
    def to_response(request: Request, error: EdgefleetError) -> Response:
        return error_response(request.scope, error)

    @app.exception_handler(RequestValidationError)
    def invalid_fields(request: Request, error: RequestValidationError) -> Response:
        errors = field_errors(error.errors(), error.body)
        return problem_response(request.scope, 422, line_of(errors), errors)

    @app.exception_handler(TooLargeError)
    def too_large(request: Request, error: TooLargeError) -> Response:
        return problem_response(request.scope, 413, str(error), headers={"Connection": "close"})

    @app.exception_handler(HTTPException)
    def refused(request: Request, error: HTTPException) -> Response:
        return problem_response(request.scope, error.status_code, str(error.detail), headers=error.headers)

    @app.exception_handler(Exception)
    def failed(request: Request, _error: Exception) -> Response:
        """Answer only: the framework raises the error again, and the log gets it."""
        return problem_response(request.scope, 500, "the server failed; its log has the cause")
