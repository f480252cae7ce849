#include "pages.h"
#include "manual.h"
#include "texts.h"
#include "trace_help.h"

bool pages_write(Output *output, const Options *options, const char *version) {
    switch (options->command) {
    case COMMAND_HELP: options_help(output); return true;
    case COMMAND_MAN: manual_write(output, version); return true;
    case COMMAND_VERSION: output_format(output, "syncl %s\n", version); return true;
    case COMMAND_TRACE_HELP: output_text(output, trace_help()); return true;
    case COMMAND_OBSERVED_HELP: output_text(output, observed_help()); return true;
    case COMMAND_JSON_SCHEMA: output_text(output, json_schema); return true;
    case COMMAND_ANALYZE: break;
    default: return false;
    }
    if (options->completions) options_completions(output, options->completions);
    return options->completions != NULL;
}
