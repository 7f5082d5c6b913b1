"""Maps the errors of this package to HTTP responses."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from edgefleet_server.api.error_responses import status_of
from edgefleet_server.api.middleware.field_errors import field_errors
from edgefleet_server.api.middleware.request_guard import SAFE_METHODS, TooLargeError
from edgefleet_server.core.errors import EdgefleetError, StoreError, TooManyError

log = logging.getLogger(__name__)


def install(app: FastAPI) -> None:
    """Install handlers that answer errors with `{"detail": text}`; for invalid fields, with a list as FastAPI does."""

    @app.exception_handler(EdgefleetError)
    def to_response(request: Request, error: EdgefleetError) -> JSONResponse:
        status = status_of(error, 500)
        if status >= 500:
            log.error("%s", error)
        headers = {"Retry-After": str(error.wait_s)} if isinstance(error, TooManyError) else None
        detail = str(error)
        if isinstance(error, StoreError) and request.method not in SAFE_METHODS:
            committed = getattr(request.state, "committed", False)
            detail = f"{'only a part is done' if committed else 'not done'}: {detail}"
        return JSONResponse({"detail": detail}, status_code=status, headers=headers)

    @app.exception_handler(RequestValidationError)
    def invalid_fields(_request: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse({"detail": field_errors(error.errors(), error.body)}, status_code=422)

    @app.exception_handler(TooLargeError)
    def too_large(_request: Request, error: TooLargeError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, status_code=413, headers={"Connection": "close"})
