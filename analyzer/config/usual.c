#include "usual.h"
#include "path.h"

/* ruff's default `exclude`, and "__pycache__": `_build` holds the copies of examples that Sphinx makes. */
static const char *const folders[] = {
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pycache__",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
};

bool usual_exclusion(Text path) {
    Text base = path_base(path);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (text_equal(base, text_of(folders[i]))) return true;
    return false;
}
