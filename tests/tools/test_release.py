"""Building a release: what is refused, and that the same sources give the same bytes. All of it: tests/long/test_release.py."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from deploy.build_deb import DEPLOY, Kind, build, compile_site, own_version
from hatch_build import dashboard, is_built
from tools.release.archives import SUMS, differences, pack, write_sums
from tools.release.checkout import PROJECTS, Release, ReleaseError, changelog_section, release_of
from tools.release.distributions import INSTALLATIONS, build_distributions, lock

ROOT = DEPLOY.parent
EPOCH_S = 1_700_000_000
SERVER = next(each for each in INSTALLATIONS if each.program == "edgefleet")
ELSEWHERE = (str(ROOT).encode(), str(Path.home()).encode() + b"/", b"/tmp/")
"""Folders of the machine that builds."""


def git(folder: Path, *arguments: str) -> None:
    """Run git as a user with a name."""
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with the files that are read before anything is built."""
    folder = tmp_path / "checkout"
    for name in PROJECTS:
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n')
    (folder / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.0\n\n- New.\n\n## 1.1.0\n\n- Old.\n")
    git(folder.parent, "init", "--quiet", "checkout")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "One")
    return folder


def test_a_clean_checkout_is_a_release(checkout: Path) -> None:
    release = release_of(checkout)
    assert release.version == "1.2.0"
    assert abs(release.epoch_s - time.time()) < 600
    assert release.environment()["SOURCE_DATE_EPOCH"] == str(release.epoch_s)
    assert changelog_section(checkout, "1.2.0") == "# edgefleet 1.2.0\n\n- New.\n"


def test_uncommitted_changes_are_refused(checkout: Path) -> None:
    (checkout / "new.py").touch()
    (checkout / "CHANGELOG.md").write_text("")
    with pytest.raises(ReleaseError, match=r"^CHANGELOG.md and 1 more are not committed: commit or stash them$"):
        release_of(checkout)


@pytest.mark.parametrize(
    "text", ["# Changelog\n\n## 1.1.0\n\n- Old.\n", "## 1.2.0\n\n## 1.1.0\n\n- Old.\n", "## 1.2.01\n\n- Other.\n"]
)
def test_a_version_without_a_section_in_the_changelog_is_refused(checkout: Path, text: str) -> None:
    (checkout / "CHANGELOG.md").write_text(text)
    git(checkout, "commit", "--quiet", "-am", "Two")
    with pytest.raises(ReleaseError, match=r"^CHANGELOG.md has no section for 1.2.0: "):
        release_of(checkout)


def test_distributions_of_different_versions_are_refused(checkout: Path) -> None:
    (checkout / "agent" / "pyproject.toml").write_text('[project]\nversion = "1.1.0"\n')
    git(checkout, "commit", "--quiet", "-am", "Two")
    with pytest.raises(ReleaseError, match=r"^agent/pyproject.toml has version 1.1.0, pyproject.toml 1.2.0: "):
        release_of(checkout)


def test_outside_of_a_checkout_the_program_ends_with_one_line(tmp_path: Path) -> None:
    for name in ("tools", "deploy"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "tools.release"]
    home = {**os.environ, "PYTHONPATH": str(tmp_path), "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}
    done = subprocess.run(command, cwd=tmp_path, env=home, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("release: git status: fatal: not a git repository")


def test_an_archive_has_the_same_bytes_whatever_the_times_and_modes(tmp_path: Path) -> None:
    made = []
    for number, mode in enumerate((0o600, 0o664)):
        folder = tmp_path / str(number)
        (folder / "b").mkdir(parents=True, mode=0o700 + number * 0o55)
        for name in ("z", "a", "b/c")[:: 1 - 2 * number]:
            (folder / name).write_text(name)
            (folder / name).chmod(mode)
            os.utime(folder / name, (number, number))
        (folder / "link").symlink_to("a")
        made.append(pack(folder, tmp_path / f"{number}.tar.gz", EPOCH_S, "top").read_bytes())
    assert made[0] == made[1]
    with tarfile.open(tmp_path / "0.tar.gz") as tar:
        assert tar.getnames() == ["top/a", "top/b", "top/b/c", "top/link", "top/z"]
        assert {(one.uid, one.uname, one.mtime) for one in tar} == {(0, "", EPOCH_S)}


def test_checksums_find_a_changed_and_a_missing_file(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name / "sub").mkdir(parents=True)
        (tmp_path / name / "sub" / "a").write_text("a")
        write_sums(tmp_path / name)
    checked = ["sha256sum", "--check", "--strict", SUMS]
    assert subprocess.run(checked, cwd=tmp_path / "one", capture_output=True).returncode == 0
    assert differences(tmp_path / "one", tmp_path / "other") == []
    (tmp_path / "one" / "sub" / "a").write_text("b")
    (tmp_path / "other" / "new").touch()
    assert differences(tmp_path / "one", tmp_path / "other") == ["new", "sub/a"]
    assert subprocess.run(checked, cwd=tmp_path / "one", capture_output=True).returncode == 1


def copied(folder: Path) -> Path:
    """The tracked files as they are now, and the built dashboard, in another folder with other times."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in listed:
        if (name.split("/")[0] in PROJECTS or "/" not in name) and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    shutil.copytree(dashboard(ROOT / "fleet_server").ui, folder / "fleet_server" / "edgefleet_server" / "ui")
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """All distributions, built in two folders."""
    if not is_built(dashboard(ROOT / "fleet_server")):
        pytest.skip("the dashboard is not built from this source: run `python fleet_server/hatch_build.py`")
    folder = tmp_path_factory.mktemp("distributions")
    for name in ("one", "another-name"):
        build_distributions(Release(copied(folder / name), own_version(), EPOCH_S), folder / name / "out")
    return folder / "one" / "out", folder / "another-name" / "out"


def test_distributions_have_the_same_bytes_in_another_folder(built: tuple[Path, Path]) -> None:
    names = {path.name for path in built[0].iterdir()}
    assert len(names) == 2 * len(PROJECTS)
    assert differences(*built) == []


def test_wheels_have_their_licence_and_no_path_of_this_machine(built: tuple[Path, Path]) -> None:
    for wheel in built[0].glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
        assert any(name.endswith("licenses/LICENSE") for name in contents), wheel.name
        found = [(name, place) for name, content in contents.items() for place in ELSEWHERE[:2] if place in content]
        assert found == []
        if wheel.name.startswith("edgefleet_server"):
            assert "edgefleet_server/ui/index.html" in contents


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="no dpkg-deb: this is not Debian")
def test_a_debian_package_has_the_same_bytes_in_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the bytecode, whose strings and sets depend on the process that writes it."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(EPOCH_S))
    kind = Kind(own_version(), "amd64", f"3.{sys.version_info.minor}")
    digests = set()
    for name, mask in (("one", 0o022), ("another-name", 0o077)):
        before = os.umask(mask)
        site = tmp_path / name / "site"
        shutil.copytree(
            ROOT / "contract" / "edgefleet_contract", site / "edgefleet_contract", ignore=shutil.ignore_patterns("__pycache__")
        )
        compile_site(kind, site)
        assert list(site.rglob("*.pyc"))
        content = build(kind, site, tmp_path / name / "out").read_bytes()
        assert not [place for place in (*ELSEWHERE, str(tmp_path).encode()) if place in content]
        digests.add(hashlib.sha256(content).hexdigest())
        os.umask(before)
    assert len(digests) == 1


def wheel(folder: Path, name: str, version: str, *lines: str) -> None:
    """A wheel with nothing but its metadata."""
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        text = "\n".join(["Metadata-Version: 2.4", f"Name: {name}", f"Version: {version}", *lines, ""])
        archive.writestr(zipfile.ZipInfo(f"{name}-{version}.dist-info/METADATA"), text)


def test_the_bill_of_materials_is_valid_and_has_licences_checksums_and_dependencies(tmp_path: Path) -> None:
    wheel(
        tmp_path,
        "edgefleet_server",
        "1.2.0",
        "License-Expression: Apache-2.0",
        "Requires-Dist: Left_Pad>=1",
        "Requires-Dist: absent",
    )
    wheel(tmp_path, "left_pad", "1.0", "License: MIT", "Requires-Dist: zed; extra == 'more'")
    wheel(tmp_path, "zed", "2", "Classifier: License :: OSI Approved :: BSD License", f"License: {'long ' * 50}")
    release = Release(ROOT, "1.2.0", EPOCH_S)
    # Every test process collects this file, and these take seconds of it.
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    from tools.release.sbom import of_installation

    text = of_installation(release, SERVER, tmp_path)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert of_installation(release, SERVER, tmp_path) == text, "the same every time"
    bom = json.loads(text)
    assert bom["metadata"]["timestamp"].startswith("2023-11-14T22:13:20")
    assert bom["metadata"]["component"]["purl"] == "pkg:pypi/edgefleet-server@1.2.0"
    parts = {each["name"]: each for each in bom["components"]}
    assert parts.keys() == {"left-pad", "zed"}
    assert parts["left-pad"]["licenses"] == [{"license": {"id": "MIT"}}]
    assert parts["zed"]["licenses"] == [{"license": {"name": "BSD License"}}]
    digest = hashlib.sha256((tmp_path / "left_pad-1.0-py3-none-any.whl").read_bytes()).hexdigest()
    assert parts["left-pad"]["hashes"] == [{"alg": "SHA-256", "content": digest}]
    needed = {each["ref"]: each.get("dependsOn", []) for each in bom["dependencies"]}
    assert needed["pkg:pypi/edgefleet-server@1.2.0"] == ["pkg:pypi/left-pad@1.0"]
    assert needed["pkg:pypi/left-pad@1.0"] == []


def test_a_lock_names_every_wheel_with_its_checksum(tmp_path: Path) -> None:
    wheel(tmp_path, "edgefleet_server", "1.2.0")
    wheel(tmp_path, "left_pad", "1.0")
    head, *rows = lock(SERVER, tmp_path).splitlines()
    assert head.startswith("# pip install --require-hashes ")
    digest = hashlib.sha256((tmp_path / "left_pad-1.0-py3-none-any.whl").read_bytes()).hexdigest()
    assert rows[1] == f"left-pad==1.0 --hash=sha256:{digest}"
    assert [row.partition("==")[0] for row in rows] == ["edgefleet-server", "left-pad"]
