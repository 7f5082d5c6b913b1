"""Contents of the Debian package, and its units checked by systemd. In a booted system: tests/long/test_booted.py."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.build_deb import COMPLETIONS, DEPLOY, Kind, build, own_version, unpack_wheels
from edgefleet_contract.encoding import toml

EXPOSURE_MAX = 3.0
KIND = Kind(own_version(), "amd64", "3.11")


@pytest.fixture(scope="module")
def deb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package around one file, built as the real one is."""
    if shutil.which("dpkg-deb") is None:
        pytest.skip("no dpkg-deb: this is not Debian")
    folder = tmp_path_factory.mktemp("deb")
    (folder / "site" / "edgefleet_agent").mkdir(parents=True)
    (folder / "site" / "edgefleet_agent" / "__main__.py").write_text("print('agent')\n")
    return build(KIND, folder / "site", folder / "out", "none")


def contents(deb: Path) -> dict[str, list[str]]:
    """Path -> mode, owner and the rest, as `dpkg-deb --contents` prints it."""
    listed = subprocess.run(["dpkg-deb", "--contents", str(deb)], check=True, capture_output=True, text=True).stdout
    return {line.split()[5].removeprefix("."): line.split() for line in listed.splitlines()}


def test_files_are_where_they_belong_and_nobodys_but_roots(deb: Path) -> None:
    files = contents(deb)
    site = "/opt/edgefleet/lib/python3.11/site-packages/edgefleet_agent/__main__.py"
    for path in (site, "/lib/systemd/system/edgefleet-agent.service", "/lib/udev/rules.d/60-edgefleet.rules"):
        assert path in files
    assert files["/opt/edgefleet/bin/python"][-1] == "/usr/bin/python3.11"
    assert {line[1] for line in files.values()} == {"root/root"}
    assert not [path for path, line in files.items() if line[0][8] == "w" and line[0][0] != "l"], "nothing the world may write"
    assert files["/opt/edgefleet/bin/edgefleet-agent"][0] == "-rwxr-xr-x"


def test_shells_complete_the_agent(deb: Path, tmp_path: Path) -> None:
    subprocess.run(["dpkg-deb", "--extract", str(deb), str(tmp_path)], check=True)
    for place in COMPLETIONS.values():
        assert "model-control-mode" in (tmp_path / place).read_text(encoding="utf-8")


def test_control_fields(deb: Path) -> None:
    output = subprocess.run(["dpkg-deb", "--field", str(deb)], check=True, capture_output=True, text=True).stdout
    assert f"Version: {own_version()}" in output
    assert "python3 (>= 3.11), python3 (<< 3.12)" in output, "compiled modules fit one Python only"


def test_wheels_are_unpacked_with_the_name_of_the_entry_module(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "edgefleet_agent-1-py3-none-any.whl", "w") as wheel:
        for name in ("edgefleet_agent/app.py", "edgefleet_agent-1.data/purelib/extra.py", "edgefleet_agent-1.data/scripts/x"):
            wheel.writestr(name, "")
    unpack_wheels(tmp_path, tmp_path / "site")
    assert sorted(path.name for path in (tmp_path / "site").iterdir()) == ["edgefleet_agent", "entry", "extra.py"]
    assert (tmp_path / "site" / "entry").read_text() == "edgefleet_agent\n"


def test_the_distributions_have_one_version_and_pin_each_other() -> None:
    folders = (".", "contract", "client", "agent", "fleet_server")
    projects = {folder: toml.parse((DEPLOY.parent / folder / "pyproject.toml").read_text(), folder) for folder in folders}
    assert {about["project"]["version"] for about in projects.values()} == {own_version()}
    needed = [text for about in projects.values() for text in about["project"]["dependencies"] if text.startswith("edgefleet")]
    names = ("edgefleet-agent", "edgefleet-client", "edgefleet-contract", "edgefleet-contract", "edgefleet-server")
    assert sorted(needed) == [f"{name}=={own_version()}" for name in names]


@pytest.mark.parametrize("script", ["install-agent.sh", "setup.sh", "debian/postinst", "debian/prerm", "debian/postrm"])
def test_scripts_are_shell(script: str) -> None:
    assert subprocess.run(["sh", "-n", str(DEPLOY / script)], capture_output=True).returncode == 0


def test_the_installer_gives_the_reason_of_a_failed_enrollment(tmp_path: Path) -> None:
    """With the commands of Debian replaced: only the script itself runs."""
    replaced = {"id": "echo 0", "dpkg": ":", "systemctl": ":", "systemd-sysusers": ":"}
    replaced["edgefleet-agent"] = "echo progress; echo 'edgefleet-agent: token T is used up; ask for another' >&2; exit 5"
    for name, line in replaced.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "agent.deb").touch()
    command = ["sh", str(DEPLOY / "install-agent.sh"), str(tmp_path / "agent.deb"), "https://fleet.example", "--token", "T"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": f"{tmp_path}:/usr/bin:/bin"})
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "install-agent: installed, but not enrolled: token T is used up; ask for another; then run this again"
    )


@pytest.mark.parametrize("unit", ["edgefleet-agent.service", "edgefleet-server.service"])
def test_exposure(unit: str) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze: apt-get install systemd")
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE_MAX * 10:.0f}", str(DEPLOY / unit)]
    judged = subprocess.run(command, capture_output=True, text=True)
    if "unrecognized option" in judged.stderr:
        pytest.skip("this systemd is too old for --offline")
    assert judged.returncode == 0, judged.stdout[-200:]
