"""The one-slot mailbox between two threads."""

from __future__ import annotations

import threading

from edgefleet_agent.pipeline.graph.handoff import LatestFrame


def test_the_newest_wins_and_drops_are_counted() -> None:
    place: LatestFrame[int] = LatestFrame(threading.Condition())
    assert [place.put(number) for number in (1, 2, 3)] == [True] * 3
    assert (place.take(), place.take(), dict(place.dropped)) == (3, None, {"busy": 2})


def test_nothing_is_lost_with_keep_all() -> None:
    place: LatestFrame[int] = LatestFrame(ready := threading.Condition(), keep_all=True)
    filler = threading.Thread(target=lambda: [place.put(number) for number in range(500)])
    filler.start()
    taken = []
    while len(taken) < 500:
        with ready:
            ready.wait_for(lambda: place.peek() is not None)
        taken.append(place.take())
    filler.join()
    assert taken == list(range(500))
    assert not place.dropped


def test_close_frees_a_waiting_producer() -> None:
    place: LatestFrame[int] = LatestFrame(threading.Condition(), keep_all=True)
    place.put(1)
    answers: list[bool] = []
    waiting = threading.Thread(target=lambda: answers.append(place.put(2)))
    waiting.start()
    assert place.close() == 1
    waiting.join()
    assert answers == [False]
    assert dict(place.dropped) == {"closed": 2}
    assert place.put(3) is False
