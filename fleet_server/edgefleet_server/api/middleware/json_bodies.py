"""JSON bodies of requests: texts that are no Unicode are refused before anything reads them.

Python's parser takes half of a surrogate pair (`"\\ud800"`) as a character, which neither a database nor an answer can hold.
"""

from __future__ import annotations

from fastapi import HTTPException, Request

from edgefleet_contract.encoding.json_faults import lone_surrogate


async def check_json_body(request: Request) -> None:
    """Dependency of every operation. Raises HTTPException (400) for a JSON body with a lone surrogate."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind.endswith("json") and (fault := lone_surrogate(await request.body())):
        raise HTTPException(400, f"the body is not JSON: {fault}")
