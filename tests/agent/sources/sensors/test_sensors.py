"""Sensors: recordings, serial ports and kernel drivers."""

from __future__ import annotations

import itertools
import math
import os
import threading
from pathlib import Path

import pytest

from edgefleet_agent.core import plugins
from edgefleet_agent.sources.sensors.base import Reading
from edgefleet_agent.sources.sensors.csv import CsvSensor
from edgefleet_agent.sources.sensors.iio import IioSensor
from edgefleet_agent.sources.sensors.mqtt import MqttSensor
from edgefleet_agent.sources.sensors.serial import SerialSensor
from edgefleet_contract.core.errors import MediaError, PipelineError, UnavailableError
from edgefleet_contract.mqtt.events import ReceivedMessage
from edgefleet_contract.pipeline.spec import SourceSpec
from tests.agent.fakes.cameras import free_port


def replay(path: Path, **options: object) -> CsvSensor:
    return CsvSensor(SourceSpec(kind="csv", uri=str(path), pace="fast", options=options))


def test_real_series_are_whole(data: Path) -> None:
    machine = replay(data / "media/sensors/nab/machine_temperature_system_failure.csv")
    machine.open()
    readings = list(machine.readings())
    machine.close()
    assert machine.channels == ["value"]
    assert len(readings) == 22695
    assert readings[0] == Reading(1386018900.0, (73.96732207,))
    pump = replay(data / "media/sensors/skab/valve1_0.csv", channels="Current, Pressure")
    pump.open()
    assert next(pump.readings()).values == (1.3302, 0.054711)
    pump.close()


def test_columns_times_and_rows_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "series.csv"
    path.write_text("name\tt\ta\tb\nx\t10.5\t1\t2\nx\tyesterday\t1\t2\nx\nx\t2020-01-01T00:00:00Z\t\t4\n", encoding="utf-8")
    series = replay(path, time="t")
    series.open()
    assert series.channels == ["a", "b"]
    first, second = series.readings()
    assert first == Reading(10.5, (1.0, 2.0))
    assert second.at_s == 1577836800.0
    assert math.isnan(second.values[0])
    series.close()


def test_decimal_commas_and_a_first_row_without_numbers(tmp_path: Path) -> None:
    path = tmp_path / "series.csv"
    path.write_text("time;t;word\n0\n0,5;;on\n1;20,25;off\n1,5;-2,5;7\n", encoding="utf-8")
    series = replay(path)
    series.open()
    assert (series.channels, series.texts) == (["t"], ["word"])
    readings = list(series.readings())
    series.close()
    assert [reading.at_s for reading in readings] == [0.5, 1.0, 1.5]
    assert [reading.values for reading in readings[1:]] == [(20.25,), (-2.5,)]


@pytest.mark.parametrize("unit", [1.0, 1e3, 1e6, 1e9])
def test_times_of_all_units(unit: float, tmp_path: Path) -> None:
    path = tmp_path / "series.csv"
    path.write_text(f"t,v\n{1_795_762_000 * unit:.0f},1\n1e30,2\n-1e300,3\n{1_795_762_001 * unit:.0f},4\n", encoding="utf-8")
    series = replay(path)
    series.open()
    assert [(reading.at_s, reading.values) for reading in series.readings()] == [(1795762000.0, (1.0,)), (1795762001.0, (4.0,))]
    series.close()


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (b'{"v": 80}', None),
        (b'{"t": 1795762000, "v": 80}', (1795762000.0, 80.0)),
        (b'{"t": 1795762000123, "v": 80}', (1795762000.123, 80.0)),
        (b'{"t": 1795762000, "v": %s}' % (b"9" * 400), None),
        (b'{"t": %s, "v": 80}' % (b"9" * 400), None),
        (b'{"t": 1e300, "v": 80}', None),
        (b'{"t": true, "v": 80}', None),
        (b'{"t": 1795762000, "v": NaN}', None),
        (b'{"t": 1795762000, "v": "80"}', None),
        (b"[" * 60_000, None),
        (b"\xff", None),
        (b"9" * 5_000, None),
    ],
    ids=range(12),
)
def test_messages_of_any_content(payload: bytes, expected: tuple[float, float] | None) -> None:
    spec = SourceSpec(kind="mqtt", uri="mqtt://127.0.0.1/t", options={"channels": "v", "time": "t"})
    reading = MqttSensor(spec)._reading(ReceivedMessage("t", payload, retained=False))
    assert (reading and (reading.at_s, *reading.values)) == expected


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("", {}, "line 1 has no two columns"),
        ("a,b\n", {}, "no rows below the header"),
        ("a,b\n1\n", {}, "line 2 has 1 cells, the header has 2"),
        ("a,b\n1,2,5\n", {}, "line 2 has 3 cells, the header has 2; numbers with a decimal comma need another delimiter"),
        ("a,b\n1,2\n", {"time": "when"}, "no column 'when'; it has a, b"),
        ("a,b\n1,x\n", {}, "0 numeric columns"),
        ("t,v\n1,2\n" + "x,3\n" * 200, {}, "line 103: 101 consecutive rows cannot be read"),
    ],
)
def test_files_that_are_no_series(text: str, options: dict[str, object], expected: str, tmp_path: Path) -> None:
    path = tmp_path / "series.csv"
    path.write_text(text, encoding="utf-8")
    series = replay(path, **options)
    with pytest.raises(MediaError, match=expected):
        everything(series)
    series.close()


def everything(series: CsvSensor) -> None:
    series.open()
    for _ in series.readings():
        pass


def test_a_serial_port() -> None:
    ours, theirs = os.openpty()
    spec = SourceSpec(kind="serial", uri=os.ttyname(theirs), options={"baud": 9600, "channels": "t,p", "silence_s": 0.5})
    sensor = SerialSensor(spec)
    sensor.open()
    os.write(ours, b"5, p=1\nt=21.5 C, p=1013\r\nnoise\nt=-3e-1 C p=990 x2\n\xff\xfe\n")
    readings = sensor.readings()
    assert [reading.values for reading in itertools.islice(readings, 3)] == [(5.0, 1.0), (21.5, 1013.0), (-0.3, 990.0)]
    with pytest.raises(UnavailableError, match=r"silent for 0.5 s"):
        next(readings)
    sensor.close()
    os.close(theirs)
    os.close(ours)


def test_the_wrong_speed_is_reported_and_a_stop_ends_it() -> None:
    ours, theirs = os.openpty()
    sensor = SerialSensor(SourceSpec(kind="serial", uri=os.ttyname(theirs)))
    sensor.open()
    os.write(ours, b"?!\n" * 150)
    with pytest.raises(MediaError, match="check the option baud"):
        next(sensor.readings())
    sensor.close()
    again = SerialSensor(SourceSpec(kind="serial", uri=os.ttyname(theirs)))
    again.open()
    reader = threading.Thread(target=lambda: list(again.readings()))
    reader.start()
    again.stop()
    reader.join(10)
    assert not reader.is_alive()
    again.close()
    os.close(theirs)
    os.close(ours)


def test_an_iio_device(tmp_path: Path) -> None:
    for name, text in {
        "name": "adxl345\n",
        "in_accel_x_raw": "100\n",
        "in_accel_y_raw": "-50",
        "in_accel_scale": "0.5",
        "in_accel_y_offset": "10",
        "in_temp_input": "21500",
    }.items():
        (tmp_path / name).write_text(text)
    sensor = IioSensor(SourceSpec(kind="iio", uri=str(tmp_path), options={"rate": 500}))
    sensor.open()
    assert sensor.channels == ["accel_x", "accel_y", "temp"]
    readings = sensor.readings()
    first, second = next(readings), next(readings)
    assert first.values == (50.0, -20.0, 21500.0)
    assert second.at_s >= first.at_s
    (tmp_path / "in_temp_input").unlink()
    with pytest.raises(UnavailableError, match="cannot be read any more"):
        next(readings)
    with pytest.raises(MediaError, match="no channel gyro; it has accel_x, accel_y"):
        IioSensor(SourceSpec(kind="iio", uri=str(tmp_path), options={"channels": "gyro"})).open()


@pytest.mark.parametrize("kind", plugins.TABLES["sensors"])
def test_what_is_not_there_and_options_that_are_not(kind: str, tmp_path: Path) -> None:
    sensor = plugins.load("sensors", kind)
    absent = SourceSpec(kind=kind, uri=str(tmp_path / "nothing"))
    if kind == "mqtt":
        absent.uri = f"mqtt://127.0.0.1:{free_port()}/t"
    if kind == "can":
        absent.uri, absent.options = "can987", {"signals": "a=100:0|8@1+"}
    with pytest.raises((MediaError, UnavailableError)) as error:
        sensor(absent).open()
    assert "\n" not in str(error.value)
    with pytest.raises(PipelineError, match="'flux' is unknown"):
        sensor(SourceSpec(kind=kind, uri="/x", options={"flux": 1}))
    if kind != "csv":
        with pytest.raises(PipelineError):
            sensor(SourceSpec(kind=kind))
