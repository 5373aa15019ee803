"""Which fence is open after a text, and in how many containers: CommonMark, case by case."""

import pytest

from tertulia.outbound._outline import Outline


def after(text: str) -> tuple[str, int, str] | None:
    """Give mark, depth and prefix of the fence open after a text, or None."""
    lines = text.split("\n")
    outline = Outline(lines)
    for line in lines:
        outline.feed(line)
    return (outline.fence.mark, outline.depth, outline.fence.prefix) if outline.fence else None


@pytest.mark.parametrize(
    ("text", "fence"),
    [
        ("```", ("```", 0, "")),
        ("   ~~~~ x", ("~~~~", 0, "   ")),
        ("    ```", None),
        ("\t```", None),
        ("a\n    ```", None),
        ("a\n```", ("```", 0, "")),
        ("``", None),
        ("``` `", None),
        ("~~~ `~", ("~~~", 0, "")),
        ("```\n``", ("```", 0, "")),
        ("```\n~~~", ("```", 0, "")),
        ("```\n```` ", None),
        ("````\n```", ("````", 0, "")),
        ("```\n``` x", ("```", 0, "")),
        ("```\n   ```", None),
        ("```\n    ```", ("```", 0, "")),
        ("```\n\n\n", ("```", 0, "")),
        ("> ```", ("```", 1, "> ")),
        (">```\n> x\n>  ```", None),
        ("> ```\n>\n> x", ("```", 1, "> ")),
        ("> ```\nx", None),
        ("> ```\n\n", None),
        ("   > ```\n   > x", ("```", 1, "   > ")),
        ("    > ```", None),
        (">     ```", None),
        (">    ```", ("```", 1, ">    ")),
        (">\t```", ("```", 1, ">   ")),
        ("> ```\n    > x", None),
        ("> > ```\n> x", None),
        ("> > ```\n> > x", ("```", 2, "> > ")),
        ("> ```\n>    ```", None),
        ("> ```\n>     ```", ("```", 1, "> ")),
        ("> ```\n>      ```", ("```", 1, "> ")),
        (">```\n>   ```", None),
        ("- > ```\n\n  > x", None),
        ("- > a\n\n  ```", ("```", 1, "  ")),
        ("- - ```\n  x", None),
        ("- - ```\n    x", ("```", 2, "    ")),
        ("- a\n         b\nc\n  ```", ("```", 1, "  ")),
        ("- ```\n  x", ("```", 1, "  ")),
        ("- ```\n\n  x", ("```", 1, "  ")),
        ("- ```\n x", None),
        ("-\t```\n    x", ("```", 1, "    ")),
        ("-\t```\n   x", None),
        ("-   ```\n    x", ("```", 1, "    ")),
        ("-    ```\n     x", ("```", 1, "     ")),
        ("-     ```", None),
        ("-\n  ```", ("```", 1, "  ")),
        ("-\n\n  ```", ("```", 0, "  ")),
        ("- a\n\n  ```\n\n\n  x", ("```", 1, "  ")),
        ("  - ```\n    x", ("```", 1, "    ")),
        ("  - ```\n   x", None),
        ("1. ```\n   x", ("```", 1, "   ")),
        ("123456789. ```", ("```", 1, " " * 11)),
        ("1234567890. ```", None),
        ("-```", None),
        ("1) - > ```\n   - ```", ("```", 2, "     ")),
        ("1) - > ```\n     > x", ("```", 3, "     > ")),
        ("a\n2. ```", None),
        ("a\n1. ```", ("```", 1, "   ")),
        ("a\n- ```", ("```", 1, "  ")),
        ("a\n-\n  ```", ("```", 0, "  ")),
        ("> a\n2. ```", ("```", 1, "   ")),
        ("- - -\n  ```", ("```", 0, "  ")),
        ("- a\nb\n  ```", ("```", 1, "  ")),
        ("- # a\nb\n  ```", ("```", 0, "  ")),
        ("- a\n  ---\nb\n  ```", ("```", 0, "  ")),
        ("- ***\nb\n  ```", ("```", 0, "  ")),
        ("- a\n\nb\n  ```", ("```", 0, "  ")),
        ("-     a\nb\n  ```", ("```", 0, "  ")),
        ("#a\n  ```", ("```", 0, "  ")),
        ("- #a\nb\n  ```", ("```", 1, "  ")),
        ("<div>\n```", None),
        ("<div>\n\n```", ("```", 0, "")),
        ("a\n<div>\n```", None),
        ("a\n</DIV x\n```", None),
        ("a\n<divx>\n```", ("```", 0, "")),
        ("a\n<b>\n```", ("```", 0, "")),
        ("<b>\n```", None),
        ("</b >\n```", None),
        ("<b> x\n```", ("```", 0, "")),
        ("> <div>\n> ```\n> x\n```", ("```", 0, "")),
        ("- <div>\n```", ("```", 0, "")),
        ("<pre>\n\n```\n</pre>", None),
        ("<pre>\n```\n</PRE> x\n```", ("```", 0, "")),
        ("<pre></pre>\n```", ("```", 0, "")),
        ("<pre>\n```\n</script>\n</pre>", ("```", 0, "")),
        ("> <pre>\n```\n> </pre>", ("```", 0, "")),
    ],
)
def test_a_fence_is_open_where_the_specification_says(text: str, fence: tuple[str, int, str] | None) -> None:
    assert after(text) == fence


def test_the_line_that_closes_a_fence_is_told_from_one_that_ends_its_container() -> None:
    lines = ["> ```", "> ```", "> ```", "x"]
    outline = Outline(lines)
    closed = []
    for line in lines:
        outline.feed(line)
        closed.append(outline.closed)

    assert closed == [False, True, False, False]


def test_containers_nest_to_a_depth_and_no_further() -> None:
    assert after("> " * 100 + "```") == ("```", 100, "> " * 100)
    assert after("> " * 101 + "```") is None


def test_a_lazy_line_after_what_may_be_a_definition_is_set_apart() -> None:
    lines = ["> [a]: /u", "lazy"]
    outline = Outline(lines)

    assert [outline.feed(line) for line in lines] == ["> [a]: /u", "\nlazy"]
