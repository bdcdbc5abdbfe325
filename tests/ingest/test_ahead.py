"""Work on several things at once."""

from __future__ import annotations

import threading
from itertools import islice

import pytest

from ingest.ahead import WORKERS, Ahead, map_ahead


def test_results_come_in_the_order_of_the_items() -> None:
    first_may_end = threading.Event()

    def work(item: int) -> int:
        if item == 0:
            first_may_end.wait()
        else:
            first_may_end.set()
        return item

    assert list(map_ahead(work, range(5))) == [0, 1, 2, 3, 4]


def test_an_error_comes_in_the_place_of_its_result() -> None:
    taken: list[int] = []
    with pytest.raises(ZeroDivisionError):
        taken.extend(map_ahead(lambda item: 1 // item, [1, 0, 1]))
    results = map_ahead(lambda item: 1 // item, [1, 0, 1])
    assert next(results) == 1


def test_no_thread_is_left_when_the_rest_is_not_wanted() -> None:
    results = map_ahead(str, range(10))
    assert list(islice(results, 3)) == ["0", "1", "2"]
    results.close()
    assert not [one for one in threading.enumerate() if one.name == "ingest-infer"]


def test_only_a_few_are_worked_on_ahead() -> None:
    started: list[int] = []
    results = map_ahead(started.append, range(10))
    next(results)
    results.close()
    assert len(started) <= WORKERS


def test_work_is_waited_for_although_taking_its_result_was_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_end, ended = threading.Event(), list[int]()
    ahead: Ahead[None] = Ahead()
    ahead.start(lambda: ended.append(int(may_end.wait(5))), name="ingest-test")

    def interrupted(_thread: threading.Thread) -> None:
        raise KeyboardInterrupt

    may_end.set()
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "join", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ahead.take()
    assert len(ahead) == 1
    ahead.wait()
    assert ended == [1]


def test_waiting_lets_all_work_end_and_wants_no_result() -> None:
    ended: list[int] = []
    ahead: Ahead[None] = Ahead()
    ahead.start(lambda: ended.append(1), name="ingest-test")
    ahead.start(lambda: ended.append(1 // 0), name="ingest-test")
    ahead.wait()
    assert (ended, len(ahead)) == ([1], 0)
