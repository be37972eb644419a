"""Public test sets, fetched from a server on this machine."""

from __future__ import annotations

import hashlib
import http.server
import io
import json
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.base.errors import InputError
from exactmatch_papers import data, public_sets
from exactmatch_papers.public_sets import SETS, PublicSet, SetSource, fetch, path_of

GRAPH = b"# ::id one\n(w / want-01 :ARG0 (b / boy))\n\n"
GOLD = GRAPH.replace(b"boy", b"girl")


def archive() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        file.writestr("data-abc/english/umr_data/1.umr", GRAPH)
        file.writestr("data-abc/english/umr_data/2.umr", GOLD)
        file.writestr("data-abc/english/umr_data/deeper/3.umr", GRAPH)
        file.writestr("data-abc/english/../../../escaped.umr", GRAPH)
        file.writestr("data-abc/README", b"no graph")
    return content.getvalue()


PAGES = {"/pred.amr": GRAPH, "/gold.amr": GOLD, "/sets.zip": archive()}


class Server(http.server.BaseHTTPRequestHandler):
    """Answers with the pages; breaks off where the path says so."""

    def do_GET(self) -> None:
        content = PAGES.get(self.path.removesuffix("?short"))
        self.send_response(404 if content is None else 200)
        self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        self.wfile.write((content or b"")[: -5 if "?short" in self.path else None])

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def sets(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, PublicSet]:
    """Sets on the server: one file, two files, an archive, and one to point to."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    digest = hashlib.sha256(GRAPH).hexdigest()
    gold = hashlib.sha256(GOLD).hexdigest()
    files = {
        "one": (SetSource("one.amr", f"{address}/pred.amr", digest),),
        "two": (
            SetSource("pred.amr", f"{address}/pred.amr"),
            SetSource("gold.amr", f"{address}/gold.amr", gold),
        ),
        "many": (
            SetSource("english", f"{address}/sets.zip", members="english/umr_data"),
        ),
        "pointed": (),
    }
    public = {
        name: PublicSet(name, f"The set {name}", "CC BY 4.0", "https://home", sources)
        for name, sources in files.items()
    }
    monkeypatch.setattr(public_sets, "SETS", MappingProxyType(public))
    monkeypatch.setattr(data, "SETS", MappingProxyType(public))
    return public


def test_a_set_is_shown_fetched_and_used(sets: dict[str, PublicSet], cli: Cli) -> None:
    assert (
        "'exactmatch data get two' fetches it"
        in cli("@two/pred.amr", "@two/gold.amr")[2]
    )
    code, out, err = cli("data", "get", "two", "--yes")
    assert (code, out) == (0, "")
    before, _, after = err.partition("pred.amr: ")
    assert "licence:  CC BY 4.0" in before
    for source in sets["two"].sources:
        assert f"address:  {source.url}" in before
    assert "unknown: shown when it is fetched" in before
    assert f"sha256 {hashlib.sha256(GRAPH).hexdigest()} (none was promised)" in after
    assert f"sha256 {hashlib.sha256(GOLD).hexdigest()} (as promised)" in after
    code, out, _ = cli("@two/pred.amr", "@two/gold.amr", "-b", "-q")
    assert (code, out) == (0, "0.7500\n")
    assert "is here already" in cli("data", "get", "two")[2]


@pytest.mark.usefixtures("sets")
def test_one_file_needs_no_name_and_many_are_a_folder(
    cli: Cli,
) -> None:
    for name in ("one", "many"):
        assert cli("data", "get", name, "-y", "-q")[0] == 0
    assert cli("@one", "@one", "-b", "-q")[1] == "1.0000\n"
    folder = Path(path_of("@many"))
    assert sorted(path.name for path in folder.iterdir()) == ["1.umr", "2.umr"]
    assert not list(folder.parents[3].rglob("escaped.umr"))


def test_what_to_get_is_named(cli: Cli) -> None:
    assert "name the test sets to get; 'exactmatch data list'" in cli.refusal(
        "data", "get"
    )


def test_no_question_without_a_terminal(sets: dict[str, PublicSet], cli: Cli) -> None:
    code, _, err = cli("data", "get", "one")
    assert code == 2
    assert "--yes fetches without asking" in err
    assert not public_sets.is_here(sets["one"])


@pytest.mark.usefixtures("sets")
def test_what_may_not_be_fetched_is_pointed_to(
    cli: Cli,
) -> None:
    code, _, err = cli("data", "get", "pointed", "--yes")
    assert code == 2
    assert "pointed cannot be fetched from here; get it at https://home" in err
    assert "cannot be fetched" in cli("@pointed", "@pointed")[2]


@pytest.mark.parametrize(
    ("path", "sha256", "sentence"),
    [
        ("/pred.amr", "0" * 64, "the file was changed or damaged, and is not kept"),
        ("/nowhere", "", "the server answers 404"),
        ("/pred.amr?short", "", "cannot be fetched|broke off after"),
    ],
)
def test_what_is_not_what_was_promised_is_not_kept(
    path: str,
    sha256: str,
    sentence: str,
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    broken = PublicSet(
        "x", "x", "x", "x", (SetSource("x.amr", f"{address}{path}", sha256),)
    )
    with pytest.raises(InputError, match=sentence):
        fetch(broken, lambda _: None)
    assert not public_sets.folder_of(broken).exists()


def test_what_is_larger_than_any_set_is_not_kept(
    sets: dict[str, PublicSet], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_sets, "_MOST", len(GRAPH) - 1)
    with pytest.raises(InputError, match="is larger than"):
        fetch(sets["one"], lambda _: None)
    assert not public_sets.folder_of(sets["one"]).exists()


def test_a_server_that_is_not_there_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    source = SetSource("x.amr", "http://127.0.0.1:9/x.amr")
    gone = PublicSet("x", "x", "x", "x", (source,))
    with pytest.raises(InputError, match=r"cannot be fetched: .*refused"):
        fetch(gone, lambda _: None)


@pytest.mark.usefixtures("sets")
def test_names_are_corrected(files: Files, cli: Cli) -> None:
    assert "did you mean 'one'?" in cli("data", "get", "onne", "-y")[2]
    cli("data", "get", "two", "-y")
    err = cli("@two/prd.amr", "@two/gold.amr")[2]
    assert "@two has no file 'prd.amr'; did you mean 'pred.amr'?" in err
    files.one("@two", GRAPH)
    assert cli("@two", "@two", "-b", "-q")[1] == "1.0000\n"


def test_the_list_has_licence_and_addresses(
    cli: Cli,
) -> None:
    code, out, _ = cli("data", "list", "--format", "json")
    assert code == 0
    records = {record["name"]: record for record in json.loads(out)["sets"]}
    assert list(records) == list(SETS)
    for record in records.values():
        assert record["licence"]
        for file in record["files"]:
            assert file["url"].startswith("https://")
            assert file["sha256"] is None or len(file["sha256"]) == 64
    assert records["amr-3.0"]["files"] == []
    assert "lp-1.6" in cli("data", "list")[1]
