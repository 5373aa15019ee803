"""Names that load on first use."""

import sys
from pathlib import Path

import pytest


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with one name in a module of its own."""
    home = tmp_path / "lazy_example"
    home.mkdir()
    (home / "_thing.py").write_text("thing = object()\n", "utf-8")
    text = 'from tertulia.lazy import lazy\n__getattr__, __dir__ = lazy(__name__, {"thing": "_thing"})\n'
    (home / "__init__.py").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("lazy_example", "lazy_example._thing"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return "lazy_example"


def test_a_name_is_loaded_when_it_is_used_and_once(package: str) -> None:
    module = __import__(package)
    assert dir(module) == ["thing"]
    assert f"{package}._thing" not in sys.modules

    first = module.thing

    assert f"{package}._thing" in sys.modules
    assert vars(module)["thing"] is first is module.thing


def test_a_name_that_there_is_not_is_an_attribute_error(package: str) -> None:
    with pytest.raises(AttributeError, match="module 'lazy_example' has no attribute 'nothing'"):
        _ = __import__(package).nothing
