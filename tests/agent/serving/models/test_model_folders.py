"""Paths on the command line: models, and errors for what is none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgefleet_agent.serving.models.model_folders import ModelFolders
from edgefleet_contract.core.errors import InputError
from tests.agent.serving import onnx_file


def test_loose_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "gate.onnx").write_bytes(onnx_file.add())
    folders = ModelFolders([tmp_path])
    assert folders.find() == {}
    assert folders.no_model() == f"no model in {tmp_path}, but model files; specify the files, as in `serve {tmp_path}/*.onnx`"


def test_an_empty_folder(tmp_path: Path) -> None:
    assert ModelFolders([tmp_path]).no_model() == f"no model in {tmp_path}; add NAME/VERSION/model.toml, or specify model files"


def test_a_name_is_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape(f"gate={tmp_path}: a folder has the names of its models; specify {tmp_path}")):
        ModelFolders([Path(f"gate={tmp_path}")])


def test_another_name_than_the_files_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "gate camera é.onnx"
    file.write_bytes(onnx_file.add())
    folders = ModelFolders([file])
    assert list(folders.find()) == ["gate_camera__"]
    assert folders.ignored() == [f"{file} is served as 'gate_camera__'; specify NAME={file} for another name"]
    assert ModelFolders([Path(f"gate={file}")]).ignored() == []
