"""`edgefleet login NAME | logout`: a session for this terminal, kept in a file that only its owner can read."""

from __future__ import annotations

import argparse
import sys

from edgefleet_contract.core.questions import ask_secret, is_terminal
from edgefleet_server.cli.client import Client, add_server_arguments, print_json
from edgefleet_server.cli.credentials_file import CredentialsFile
from edgefleet_server.core.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("name", help="User name")
    parser.add_argument("--password-stdin", action="store_true", help="Read the password from stdin")
    add_server_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Sign in and keep the session.

    Raises:
        EdgefleetError: the text says what to do.
    """
    password = ask_password(f"Password for {arguments.name}: ", arguments.password_stdin)
    with Client(arguments.server) as client:
        answer, cookies = client.sign_in(arguments.name, password)
    CredentialsFile().keep(arguments.server, cookies)
    if arguments.json:
        print_json(answer)
    else:
        print(f"signed in to {arguments.server} as {answer['user']} ({answer['role']})")
    return 0


def ask_password(prompt: str, from_stdin: bool, twice: bool = False) -> str:
    """A password from the keyboard, unseen, or the first line of standard input.

    Raises:
        InputError: there is no keyboard, or two entries differ.
    """
    if from_stdin:
        return "" if sys.stdin is None else sys.stdin.readline().rstrip("\r\n")
    if not is_terminal():
        raise InputError("cannot ask for a password: stdin is not a terminal; use --password-stdin")
    password = ask_secret(prompt, "use --password-stdin")
    if twice and ask_secret("Repeat the password: ", "use --password-stdin") != password:
        raise InputError("the passwords do not match; try again")
    return password
