/* Printing and writing of results. */
#include "run.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static Text line_of(Arena *arena, Text words) {
    Output line = {.arena = arena, .workflow = getenv("GITHUB_ACTIONS") != NULL};
    output_text(&line, "syncl: ");
    output_clean(&line, words);
    output_text(&line, "\n");
    return output_guarded(&line);
}

int run_say(Arena *arena, Text words, int status) {
    (void)output_to_descriptor(line_of(arena, words), STDERR_FILENO);
    return status;
}

static bool to_standard_output(Run *run, Text bytes) {
    if (output_to_descriptor(bytes, STDOUT_FILENO)) return true;
    run->error = text_format(run->arena, "cannot write to standard output: %s", strerror(errno));
    return false;
}

bool run_hand_out(Run *run, Handed handed) {
    vec_push(run->arena, &run->kept.handed, handed);
    switch (handed.to) {
    case HAND_STDOUT: return to_standard_output(run, handed.bytes);
    case HAND_FILE: return output_to_file(handed.bytes, handed.path, &run->error, run->arena);
    case HAND_SUMMARY:
        return output_append(handed.bytes, getenv("GITHUB_STEP_SUMMARY"), &run->error, run->arena);
    default: (void)output_to_descriptor(handed.bytes, STDERR_FILENO); return true;
    }
}

void run_note(Run *run, Text words) {
    (void)run_hand_out(run, (Handed){HAND_STDERR, NULL, line_of(run->arena, words)});
}

bool run_has_summary(void) {
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    return summary && *summary;
}

bool run_wants_color(const Options *options) {
    if (options->color != COLOR_AUTO) return options->color == COLOR_ALWAYS;
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool refused = (no_color && *no_color) || (terminal && strcmp(terminal, "dumb") == 0);
    return !refused && !options->output && isatty(STDOUT_FILENO) == 1;
}

/* Only on a terminal: --color=always may go through a pager that shows links as garbage. */
bool run_wants_links(const Options *options) {
    const char *terminal = getenv("TERM");
    bool knows = terminal && strcmp(terminal, "linux") != 0;
    return knows && options->color != COLOR_NEVER && !options->output && isatty(STDOUT_FILENO) == 1 &&
           run_wants_color(options);
}

/* A report must not overwrite a source. */
bool run_overwrites_nothing(Run *run, const Inputs *read) {
    return destinations_leave_read(run->arena, &run->destinations, read, &run->error);
}

int run_deliver(Run *run, int status) {
    if (!run_overwrites_nothing(run, run->inputs)) return run_say(run->arena, run->error, EXIT_CANNOT);
    const char *path = run->options.output;
    Handed report = {path ? HAND_FILE : HAND_STDOUT, path, output_guarded(&run->output)};
    return run_hand_out(run, report) ? status : run_say(run->arena, run->error, EXIT_CANNOT);
}
