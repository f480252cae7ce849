#include "usual.h"
#include "path.h"

static const char *const folders[] = {
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pycache__",
    "__pypackages__",
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
