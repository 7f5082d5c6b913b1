"""`edgefleet logout`: end the session of this terminal."""

from __future__ import annotations

import argparse

from edgefleet_server.cli.client import Client, add_server_arguments
from edgefleet_server.cli.credentials_file import CredentialsFile
from edgefleet_server.core.errors import SignInError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    add_server_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """End the session, here and on the server.

    Raises:
        EdgefleetError: the text says what to do.
    """
    try:
        with Client(arguments.server) as client:
            client.people.sign_out()
    except SignInError:
        print("the session has already expired")
    CredentialsFile().forget(arguments.server)
    print(f"signed out of {arguments.server}")
    return 0
