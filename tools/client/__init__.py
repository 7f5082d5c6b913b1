"""The generated modules of the Python client in `client/edgefleet_client`, made of the OpenAPI document."""
