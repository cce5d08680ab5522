"""How Sphinx builds these pages: `make docs`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import rummyzoo

project = "rummyzoo"
author = "The rummyzoo authors"
copyright = author
version = release = rummyzoo.__version__

extensions = [
    "myst_nb",  # MyST, and notebooks
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "extensions.docstrings",
    "extensions.game_pages",
    "extensions.references",
]
exclude_patterns = ["_build", "extensions"]

# Every reference must lead somewhere; extensions/references.py says what the names in docstrings
# mean.
nitpicky = True
default_role = "py:obj"
highlight_language = "none"  # where a block does not say

nb_execution_mode = "off"  # notebooks are kept with their outputs

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
napoleon_numpy_docstring = False
napoleon_attr_annotations = False  # the class's own line gives the types
add_module_names = False
toc_object_entries_show_parents = "hide"
copybutton_prompt_text = r">>> |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = "rummyzoo"
html_static_path = ["static"]
html_css_files = ["rummyzoo.css"]
html_show_copyright = False
html_theme_options = {"sidebar_hide_name": False}
