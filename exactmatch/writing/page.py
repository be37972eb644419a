"""The skeleton of every HTML page: markup that escapes itself, style and script.

A page is one file that works from a disk, without network, in light and dark, on
paper and without its script.  Its *content security policy* holds it to that: the
browser loads nothing, and runs no script but the one below, whose hash it is told.

Text becomes :class:`Markup` only by being escaped, and :func:`element` escapes
whatever is not markup yet; so an id such as ``<script>`` stays an id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape as _escaped
from typing import NamedTuple

from exactmatch.writing.visible import visible


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """The markup as notebooks show it."""
        return self


def escape(text: str) -> Markup:
    """The text as HTML, its control characters as visible escapes."""
    if isinstance(text, Markup):
        return text
    return Markup(_escaped(visible(text)))


def joined(parts: Iterable[str]) -> Markup:
    """The parts in a row, escaped where they are not markup."""
    return Markup("".join(map(escape, parts)))


def element(name: str, *content: str, **attributes: str | bool | None) -> Markup:
    """An element around its content.

    Args:
        name: the tag.
        content: text, which is escaped, or markup.
        attributes: by name, of which a trailing underscore is dropped and others
            become hyphens; ``None`` and ``False`` leave one out, ``True`` gives it
            no value.
    """
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{joined(content)}</{name}>")


_VOID = frozenset(("input", "wbr"))
"""Elements that hold nothing and have no end."""


class Cell(NamedTuple):
    """What stands in a cell of a table.

    Attributes:
        content: text or markup.
        exact: the value in full precision, where the content is rounded.
    """

    content: str
    exact: str | None = None


def cell(value: object, shown: str) -> Cell:
    """A value as it is shown; a rounded number keeps its full precision beside."""
    exact = repr(value) if isinstance(value, float) else None
    return Cell(shown, None if exact == shown else exact)


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    caption: str = "",
    *,
    sortable: bool = False,
) -> Markup:
    """A table whose first column names its rows.

    Columns of numbers are set flush right, the others flush left.

    Args:
        head: the headings.
        rows: a cell for each heading.
        caption: what the table shows.
        sortable: whether a click on a heading sorts it.
    """
    body = list(rows)
    sides = [_side(row[k].content for row in body) for k in range(len(head))]
    named = element("caption", caption) if caption else Markup()
    heads = joined(
        element("th", title, scope="col", class_=side)
        for title, side in zip(head, sides, strict=True)
    )
    lines = joined(
        joined((element("tr", *_cells(row, sides)), Markup("\n"))) for row in body
    )
    whole = element(
        "table",
        named,
        element("thead", element("tr", heads)),
        element("tbody", Markup(f"\n{lines}\n")),
        class_="sortable" if sortable else None,
    )
    return element("div", whole, class_="scroll", tabindex="0")


def _cells(row: Sequence[Cell], sides: Sequence[str | None]) -> Iterable[Markup]:
    for k, (found, side) in enumerate(zip(row, sides, strict=True)):
        if k == 0:
            yield element("th", found.content, scope="row", class_=side)
        else:
            yield element("td", found.content, title=found.exact, class_=side)


_TAG = re.compile("<[^>]*>")
_NUMERIC = re.compile(r"([-+±.,\d\s%…<>≥≤()\[\]]|e[-+]\d)*")


def _side(column: Iterable[str]) -> str | None:
    """The class of a column of numbers."""
    texts = [_TAG.sub("", t) if isinstance(t, Markup) else t for t in column]
    return "n" if texts and all(map(_NUMERIC.fullmatch, texts)) else None


def signatures(lines: Iterable[str]) -> Markup:
    """The signatures, each broken only where its parts meet."""
    shown = joined(
        element("p", element("code", _breakable(line)), class_="sign") for line in lines
    )
    return element("footer", element("h2", "Signature"), shown) if shown else shown


def _breakable(line: str) -> Markup:
    return Markup(escape(line).replace("|", "|<wbr>"))


def opening(title: str, *, wide: bool = False) -> str:
    """A page up to where its content begins.

    Args:
        title: what browsers call it.
        wide: whether it needs the whole window.
    """
    from base64 import b64encode
    from hashlib import sha256

    digest = b64encode(sha256(SCRIPT.encode()).digest()).decode()
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{element('title', title)}\n<style>{STYLE}</style>\n</head>\n"
        + ('<body class="wide">\n' if wide else "<body>\n")
    )


def document(title: str, *body: str) -> str:
    """A whole page.

    Args:
        title: what browsers call it.
        body: its content, in parts that stand on lines of their own.
    """
    parts = [f"{escape(part)}\n" for part in body if part]
    return opening(title) + "".join(parts) + CLOSING


STYLE = """
:root{color-scheme:light dark;--ink:#1b1f24;--quiet:#5d6672;--line:#e2e5e9;
--paper:#fff;--tint:#f6f7f9;--accent:#0a5ea8;--halo:#d6e8f8;--mark:#a33c00;
  --wash:#fdeadd}
@media screen and (prefers-color-scheme:dark){
:root{--ink:#e3e6ea;--quiet:#9aa3ae;--line:#30363e;
--paper:#14171b;--tint:#1b1f25;--accent:#78bbf5;--halo:#1d4468;--mark:#ffa566;
  --wash:#3b2617}}
*{box-sizing:border-box}
body{margin:0 auto;padding:3rem 2rem 4rem;max-width:72rem;background:var(--paper);
color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
font-variant-numeric:tabular-nums}
h1{font-size:1.75rem;font-weight:650;line-height:1.2;letter-spacing:-.015em;
  margin:0 0 .4rem}
h2{font-size:1.05rem;font-weight:600;margin:2.75rem 0 .75rem}
p{margin:.4rem 0;max-width:46rem}
a{color:var(--accent)}
a:focus-visible,summary:focus-visible,button:focus-visible,pre b:focus-visible{
outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
code,pre{
  font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.lead,.note,.sign,figcaption,caption{color:var(--quiet)}
.note{white-space:pre-wrap}
.warn{border-left:3px solid var(--mark);padding-left:.8rem}
.scroll{overflow-x:auto;margin:1.75rem 0}
table{border-collapse:collapse;font-size:.92rem}
caption{text-align:left;padding-bottom:.5rem}
th,td{text-align:left;padding:.42rem 1.9rem .42rem 0;
  border-bottom:1px solid var(--line);
vertical-align:baseline;white-space:nowrap}
th:last-child,td:last-child{padding-right:0}
th{font-weight:500}
thead th{color:var(--quiet);font-size:.85rem;border-bottom-color:var(--quiet)}
.n{text-align:right}
small{font-size:.8rem;color:var(--quiet)}
td small{display:block}
th button{all:unset;cursor:pointer}
.sortable th,.sortable td{padding-right:1.4rem}
th button::after{content:"\\2195";position:absolute;opacity:0;padding-left:.25em}
th button:hover::after,th button:focus-visible::after{opacity:.6}
[aria-sort=ascending] button::after{content:"\\2191";opacity:1;color:var(--accent)}
[aria-sort=descending] button::after{content:"\\2193";opacity:1;color:var(--accent)}
.charts{display:flex;flex-wrap:wrap;gap:1rem 3rem;margin:1.75rem 0}
figure{margin:0;min-width:0}
svg{display:block;max-width:100%;height:auto}
svg text{font-size:11px;fill:var(--quiet)}
svg .bar{fill:var(--accent)}
svg .axis{stroke:var(--line)}
svg .here{stroke:var(--ink);stroke-dasharray:3 3}
footer{margin-top:3.5rem;border-top:1px solid var(--line)}
footer h2{margin-top:1.25rem}
.sign{font-size:.8rem;max-width:none}
.wide{max-width:94rem}
nav ol{list-style:none;margin:0;padding:0;font-size:.85rem}
nav a{display:flex;gap:.7rem;padding:.16rem .5rem;border-radius:4px;color:inherit;
  text-decoration:none}
nav a:hover{background:var(--tint)}
nav i,summary i{font-style:normal;color:var(--quiet);min-width:2.1em;text-align:right}
nav span{flex:1;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
nav{max-height:16rem;overflow-y:auto;margin:1.75rem 0}
@media screen and (min-width:75rem){.aside{display:grid;
  grid-template-columns:16rem minmax(0,1fr);gap:0 3rem}
.aside nav{position:sticky;top:1rem;max-height:calc(100vh - 2rem);align-self:start}}
main{margin-top:1.75rem}
details{border-top:1px solid var(--line)}
details:last-of-type{border-bottom:1px solid var(--line)}
summary{display:flex;gap:1rem;padding:.55rem 0;cursor:pointer;align-items:baseline;
  list-style:none}
summary::-webkit-details-marker{display:none}
summary::before{content:"\\25B8";color:var(--quiet)}
[open]>summary::before{content:"\\25BE"}
summary:hover{color:var(--accent)}
summary b,nav b{font-weight:500}
summary .id{unicode-bidi:isolate;flex:none;max-width:18rem;overflow:hidden;
  text-overflow:ellipsis;white-space:nowrap}
summary q{quotes:none;flex:1;color:var(--quiet);overflow:hidden;text-overflow:ellipsis;
  white-space:nowrap}
[open]>summary q{white-space:normal;color:inherit}
.pair{padding:.25rem 0 2.25rem 1.8rem}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));
  gap:1.25rem 1.5rem;margin-top:1rem}
figcaption{font-size:.85rem;margin-bottom:.4rem}
pre{margin:0;padding:1rem 1.15rem;background:var(--tint);border-radius:6px;
  color:var(--quiet);
font-size:.84rem;line-height:1.6;white-space:pre-wrap;overflow-wrap:anywhere}
pre b{font-weight:500;color:var(--ink);border-radius:3px}
pre b.on{background:var(--halo);box-shadow:0 0 0 2px var(--halo)}
pre sub,pre small{user-select:none}
pre sub{color:var(--accent);font-size:.72em;line-height:1;padding-left:.1em}
del,ins{color:var(--mark);background:var(--wash);text-underline-offset:.2em;
  border-radius:2px}
del{text-decoration:underline solid}
ins{text-decoration:underline dotted 2px}
.pair>p{max-width:none}
.sides ul{list-style:none;margin:.9rem 0 0;padding:0 0 0 1.15rem;font-size:.84rem}
@media print{body{padding:0;max-width:none;font-size:11px}nav{display:none}
pre{border:1px solid var(--line)}.scroll{overflow:visible}
summary,figure{break-inside:avoid}
summary,.pair>p{break-after:avoid}
.sides{grid-template-columns:1fr 1fr}th button::after,summary::before{content:none}}
"""
"""How every page looks: one accent, one colour for differences, signs for both."""

SCRIPT = """
const all=(s,e=document)=>e.querySelectorAll(s);
const order=new Intl.Collator(undefined,{numeric:true});
const key=c=>{const v=c.title||c.textContent;
 return v===''||v==='-'?-Infinity:isNaN(v)?v:+v};
const compare=(a,b)=>typeof a!=typeof b?(typeof a=='string')-(typeof b=='string'):
 typeof a=='string'?order.compare(a,b):a<b?-1:+(a>b);
for(const th of all('.sortable thead th')){
 const button=document.createElement('button');
 button.append(...th.childNodes);th.append(button);
 button.onclick=()=>{
  const body=th.closest('table').tBodies[0],k=th.cellIndex;
  const up=th.getAttribute('aria-sort')!='ascending';
  for(const other of th.parentNode.cells)other.removeAttribute('aria-sort');
  th.setAttribute('aria-sort',up?'ascending':'descending');
  const rows=[...body.rows].map(r=>[key(r.cells[k]),r]);
  rows.sort((a,b)=>up?compare(a[0],b[0]):compare(b[0],a[0]));
  body.append(...rows.map(r=>r[1]))}}
const light=on=>e=>{
 const node=e.target.closest&&e.target.closest('pre b');
 if(!node)return;
 const number=node.lastElementChild.textContent;
 for(const other of all('pre b',node.closest('.sides')))
  if(other===node||number!='\\u2205'&&other.lastElementChild.textContent==number)
   other.classList.toggle('on',on)};
addEventListener('mouseover',light(true));addEventListener('mouseout',light(false));
addEventListener('focusin',light(true));addEventListener('focusout',light(false));
const show=hash=>{const found=document.getElementById(hash.slice(1));
 if(found&&found.tagName=='DETAILS')found.open=true};
addEventListener('click',e=>{const link=e.target.closest('nav a');
 if(link)show(link.hash)});
addEventListener('beforeprint',()=>{for(const d of all('details'))d.open=true});
show(location.hash);
"""
"""Sorts tables, shows a variable's partner, opens the pair that a link leads to."""

CLOSING = f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
"""The end of every page."""
