"""The documentation site: Sphinx with Furo over the Markdown pages of this folder.

Sphinx, because it builds the reference from the docstrings, checks links and stops at
the first warning by itself; Furo, because it is light, reads well on a telephone and in
the dark, and needs no network; MyST, so that every page is Markdown that also reads
well where it lies.

    sphinx-build -W --keep-going -b html docs site
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent))

from reference_pages import write_reference

from exactmatch.base.version import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "exactmatch"
author = "exactmatch contributors"
project_copyright = "exactmatch contributors"
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
exclude_patterns = [
    f"reference/generated/{name}.md" for name in ("cli", "api", "errors")
]
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]

autodoc_typehints = "description"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_favicon = "_static/favicon.svg"
html_title = f"exactmatch {release}"
html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "")  # where it is published
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
copybutton_line_continuation_character = "\\"
copybutton_here_doc_delimiter = "END"

linkcheck_ignore = [r"http://127\.0\.0\.1.*"]
linkcheck_anchors = False


def write_pages(app: Sphinx) -> None:
    """Write the parts of the reference that the program itself knows."""
    write_reference(Path(app.srcdir, "reference", "generated"))


DESCRIPTION = (
    "Exact, proven, fast scores for graphs of meaning: Smatch and its kin for AMR and "
    "UMR, DRS clauses, MRP, knowledge graphs, workflows and graph edit distance."
)
"""The description of the site for search engines and for previews of links."""


def describe_page(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], _: Any
) -> None:
    """Give a page the description and the picture that links to it show.

    Pictures of links need a whole address: without ``html_baseurl`` there is none.
    """
    del pagename, templatename
    title = re.sub(r"<[^>]+>", "", context.get("title", project)).replace('"', "&quot;")
    tags = {"og:title": title, "og:description": DESCRIPTION, "og:type": "website"}
    if base := app.config.html_baseurl:
        picture = f"{base.rstrip('/')}/_static/link.png"
        tags |= {"og:image": picture, "twitter:card": "summary_large_image"}
    lines = [f'<meta name="description" content="{DESCRIPTION}">']
    lines += [f'<meta property="{key}" content="{tags[key]}">' for key in tags]
    context["metatags"] = context.get("metatags", "") + "\n".join(lines)


def setup(app: Sphinx) -> None:
    """Sphinx calls this before it reads the pages."""
    app.connect("builder-inited", write_pages)
    app.connect("html-page-context", describe_page)
