#include "trace_help.h"

/* The hook is for the warnings of PyTorch's sync debug mode, which name the line inside torch that warned
   instead of the user's. Coverage says which lines ran, and which only once. */
static const char text[] =
    "To see which of your lines wait as the script runs, let the debug mode warn and log the first frame "
    "outside torch.\n"
    "At the beginning of the script:\n"
    "\n"
    "    import traceback, warnings, torch\n"
    "\n"
    "    def show(message, category, filename, lineno, file=None, line=None):\n"
    "        frames = [f for f in traceback.extract_stack()[:-1]\n"
    "                  if \"/torch/\" not in f.filename and not f.filename.endswith(\"warnings.py\")]\n"
    "        print(f\"{frames[-1].filename}:{frames[-1].lineno}: {message}\", flush=True)\n"
    "\n"
    "    warnings.showwarning = show\n"
    "    warnings.simplefilter(\"always\")\n"
    "    torch.cuda.set_sync_debug_mode(\"warn\")\n"
    "\n"
    "Then run it under coverage, which says what ran and how often (pip install coverage):\n"
    "\n"
    "    coverage run --source=. train.py >run.log 2>&1\n"
    "    coverage lcov -o run.info\n"
    "    syncl --observed=run.log,run.info train.py\n"
    "\n"
    "A finding is then confirmed (the run warned), not seen (it ran and no warning came), not executed, not "
    "observed (there is "
    "no\n"
    "coverage of its file), or not observable (the debug mode never warns of such a wait). Without the "
    "coverage the log alone "
    "can\n"
    "only confirm.\n";

const char *observed_help(void) { return text; }
