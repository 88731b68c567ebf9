"""Configuration of the documentation site, which `make docs` builds. `sources` includes text from elsewhere."""

import sys
from importlib import metadata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from empedocles.render.themes import PALETTES

project = "Empedocles"
version = release = metadata.version("empedocles")
html_title = "Empedocles"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton", "sources"]
myst_heading_anchors = 3
highlight_language = "none"
exclude_patterns = ["_static"]

# ── The reference ──

default_role = "literal"  # docstrings put names into single backticks
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "undoc-members": True}
nitpicky = True  # every linked name of ours must exist; other libraries' names are not checked
nitpick_ignore_regex = [("py:.*", r"(?!empedocles\.).*|empedocles\..*\.F")]

# ── Looks ──

LIGHT, DARK = PALETTES["light"], PALETTES["dark"]

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css", "drawings.css"]
html_extra_path = ["browser-front.webp", "browser-phone.webp", "browser-review.webp", "browser-table.webp"]
html_copy_source = False
html_show_sphinx = html_show_copyright = False
pygments_style, pygments_dark_style = "friendly", "native"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": LIGHT.mark,
        "color-brand-content": LIGHT.mark,
        "color-brand-visited": LIGHT.mark,
        "color-background-primary": "#fffdf8",
        "color-background-secondary": LIGHT.plate,
        "color-foreground-primary": LIGHT.ink,
        "color-code-background": LIGHT.plate,
        "color-inline-code-background": LIGHT.plate,
    },
    "dark_css_variables": {
        "color-brand-primary": DARK.mark,
        "color-brand-content": DARK.mark,
        "color-brand-visited": DARK.mark,
        "color-background-primary": DARK.paper,
        "color-background-secondary": DARK.void,
        "color-foreground-primary": DARK.ink,
        "color-code-background": DARK.plate,
        "color-inline-code-background": DARK.plate,
    },
}
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True
