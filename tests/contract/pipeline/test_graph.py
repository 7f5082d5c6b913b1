"""Invalid pipelines are refused with errors that name the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.graph import Graph, compile_graph
from edgefleet_contract.pipeline.nodes import DetectNode, check_labels
from edgefleet_contract.pipeline.spec import read_pipeline
from tests.agent.pipeline.camera.test_cascade import RecordingListener

DETECT = '[[stages]]\nname = "find"\nkind = "detect"\nmodel = "slot:detector"\nlabels = ["person"]\n'
TRACK = '[[stages]]\nname = "follow"\nkind = "track"\nfrom = "find"\n'
RULE = '[[rules]]\nname = "visits"\nkind = "visit"\n'


def compiled(*parts: str) -> object:
    return compile_graph(read_pipeline('name = "p"\n[source]\nkind = "file"\n' + "".join(parts), "p.toml"))


def detectors(graph: Graph) -> list[DetectNode]:
    return [node for node in graph.nodes if isinstance(node, DetectNode)]


EXAMPLES = sorted((Path(__file__).resolve().parents[3] / "docs/examples").glob("*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_works(path: Path) -> None:
    runner = Runner(RecordingListener())
    runner.check(read_pipeline(path.read_text(), path.name))
    runner.close()


def test_detect_track_rules() -> None:
    graph = compile_graph(
        read_pipeline('name = "p"\n[source]\nkind = "file"\n' + DETECT + "min_score = 0.6\nevery = 2\n" + TRACK + RULE, "p.toml")
    )
    assert graph.models == ("slot:detector",)
    assert graph.every == 2
    assert detectors(graph)[0].floor == pytest.approx(0.24)
    assert (graph.tracks[0].source, graph.tracks[0].options.min_score) == ("find", 0.6)


def test_a_detector_alone_decodes_only_what_it_reports() -> None:
    graph = compile_graph(read_pipeline('name = "p"\n[source]\nkind = "file"\n' + DETECT, "p.toml"))
    assert detectors(graph)[0].floor == 0.5


def test_two_detectors_with_a_tracker_each() -> None:
    second = '[[stages]]\nname = "cars"\nkind = "detect"\nmodel = "slot:cars"\n'
    graph = compile_graph(
        read_pipeline(
            'name = "p"\n[source]\nkind = "file"\n'
            + DETECT + second + TRACK + '[[stages]]\nname = "traffic"\nkind = "track"\nfrom = "cars"\n' + RULE,
            "p.toml",
        )
    )  # fmt: skip
    assert [(track.name, track.source) for track in graph.tracks] == [("follow", "find"), ("traffic", "cars")]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            ('[[stages]]\nname = "x"\nkind = "segment"\n',),
            "unknown kind 'segment'; known are classify, crops, detect, ensemble, motion, track",
        ),
        ((DETECT, RULE), "rules need a stage of kind 'track'"),
        ((TRACK.replace('from = "find"\n', ""),), "a track stage follows a detect or motion stage"),
        ((DETECT.replace("slot:", "file:"),), "neither 'slot:NAME' nor 'package:DIR'"),
        ((DETECT, DETECT.replace('"find"', '"two"') + 'from = "find"\n'), "a detect stage reads the source"),
        ((DETECT, TRACK, "every = 2\n"), "belong to a detect stage"),
        (
            (DETECT, TRACK, "[stages.options]\nlow = 1\n"),
            "unknown option 'low'; known are any_label, appearance, low_score, max_lost_s, max_objects, similarity, stationary_s",
        ),
        ((DETECT, TRACK, "[stages.options]\nlow_score = 0.7\n"), "low_score goes from 0 to min_score"),
        ((DETECT, TRACK, "[stages.options]\nany_label = 1\n"), "give a value like False"),
        ((DETECT, TRACK, '[stages.options]\nmax_lost_s = "2"\n'), "give a value like 2.0"),
        ((DETECT, TRACK, "[stages.options]\nmax_objects = 501\n"), "it goes from 1 to 500"),
        ((DETECT, TRACK, "[stages.options]\nmax_objects = 0.5\n"), "give a value like 100"),
        (
            (
                DETECT,
                "every = 2\n",
                DETECT.replace('"find"', '"two"'),
                TRACK,
                TRACK.replace("find", "two").replace("follow", "more"),
            ),
            "give all the same `every`",
        ),
        ((DETECT, TRACK, RULE.replace('"visit"', '"vist"')), "unknown kind 'vist'; known are visit, zone, loiter, line"),
        ((DETECT, TRACK, RULE.replace('"visit"', '"zone"')), "names zone ''; zones are none"),
        ((DETECT, TRACK, RULE.replace('"visit"', '"count"\nline = "gate"')), "names line 'gate'; lines are none"),
    ],
)
def test_refused(parts: tuple[str, ...], expected: str) -> None:
    with pytest.raises(PipelineError) as error:
        compiled(*parts)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


def test_a_label_the_model_does_not_have() -> None:
    graph = compile_graph(read_pipeline('name = "p"\n[source]\nkind = "file"\n' + DETECT, "p.toml"))
    check_labels(detectors(graph)[0], ["person", "car"], "m@1.0.0")
    with pytest.raises(PipelineError, match=r"m@1\.0\.0 has no label 'person'; it has car, dog"):
        check_labels(detectors(graph)[0], ["car", "dog"], "m@1.0.0")
