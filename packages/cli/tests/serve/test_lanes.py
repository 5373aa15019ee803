"""The order in which events are handed on."""

from hypothesis import given
from hypothesis import strategies as st

from tertulia_cli.serve._lanes import Lanes

THREADS = st.sampled_from("abc")
STEPS = st.lists(
    st.one_of(st.tuples(st.just("put"), THREADS), st.sampled_from([("take", ""), ("end", ""), ("fail", "")]))
)


def test_threads_take_turns_and_a_thread_has_one_item_under_way() -> None:
    lanes: Lanes[int] = Lanes()
    for thread, item in [("a", 1), ("a", 2), ("b", 3)]:
        lanes.put(thread, item)

    assert [lanes.take(), lanes.take(), lanes.take()] == [("a", 1), ("b", 3), None]
    assert (len(lanes), lanes.ready) == (1, False)


def test_a_thread_that_is_freed_goes_on_with_its_next_item() -> None:
    lanes: Lanes[int] = Lanes()
    lanes.put("a", 1)
    lanes.put("a", 2)
    lanes.take()

    lanes.free("a")

    assert lanes.ready
    assert lanes.take() == ("a", 2)


def test_an_item_that_is_put_back_comes_again_before_the_others_of_its_thread() -> None:
    lanes: Lanes[int] = Lanes()
    lanes.put("a", 1)
    lanes.put("a", 2)
    lanes.take()

    lanes.put_back("a", 1)
    waiting = lanes.take()
    lanes.free("a")

    assert waiting is None
    assert lanes.take() == ("a", 1)


def test_a_thread_without_items_is_forgotten_and_may_come_back() -> None:
    lanes: Lanes[int] = Lanes()
    lanes.put("a", 1)
    lanes.take()
    lanes.free("a")

    lanes.put("a", 2)

    assert lanes.take() == ("a", 2)


@given(STEPS)
def test_whatever_happens_each_thread_gets_its_items_once_and_in_order(steps: list[tuple[str, str]]) -> None:
    lanes: Lanes[int] = Lanes()
    under_way: list[tuple[str, int]] = []
    put: dict[str, list[int]] = {}
    done: dict[str, list[int]] = {}

    def end(failed: bool) -> None:
        thread, item = under_way.pop(0)
        if failed:
            lanes.put_back(thread, item)
        else:
            done.setdefault(thread, []).append(item)
        lanes.free(thread)

    for number, (step, thread) in enumerate(steps):
        if step == "put":
            lanes.put(thread, number)
            put.setdefault(thread, []).append(number)
        elif step == "take" and (turn := lanes.take()) is not None:
            assert turn[0] not in {name for name, _ in under_way}
            under_way.append(turn)
        elif under_way:
            end(failed=step == "fail")
    while lanes.ready or under_way:
        under_way.extend(filter(None, [lanes.take()]))
        end(failed=False)

    assert done == put
    assert len(lanes) == 0
