/* Generates shell completions from the table of options. */
#include "options.h"

typedef struct Row {
    char letter;
    const char *name, *metavar, *words, *help; /* name NULL: a section, `help` its title */
} Row;

static const Row rows[] = {
#define SECTION(title) {.help = title},
#define OPTION(kind, field, letter, name, metavar, words, help) {letter, name, metavar, words, help},
#include "options.def"
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static bool is_file(const Row *row) {
    return row->metavar && (strcmp(row->metavar, "FILE") == 0 || strncmp(row->metavar, "FILE|", 5) == 0);
}

static bool is_rule(const Row *row) { return row->metavar && strncmp(row->metavar, "RULE", 4) == 0; }

static void write_words(Output *output, const Row *row) {
    for (const char *at = row->words; *at; at++) output_format(output, "%c", *at == '|' ? ' ' : *at);
}

/* Writes `text` in single quotes with a backslash before each of `special`; for a quote, ends the string,
   escapes it, and starts again. */
static void write_quoted(Output *output, const char *text, const char *special) {
    for (; *text; text++) {
        if (*text == '\'')
            output_text(output, "'\\''");
        else
            output_format(output, "%s%c", strchr(special, *text) ? "\\" : "", *text);
    }
}

/* ---- bash ---- */

static void write_bash_case(Output *output, const Row *row) {
    output_format(output, "    --%s", row->name);
    if (row->letter) output_format(output, " | -%c", row->letter);
    output_text(output, ")\n");
    if (row->words) {
        output_text(output, "        COMPREPLY=($(compgen -W \"");
        write_words(output, row);
        output_text(output, "\" -- \"$word\"))\n");
    } else if (is_rule(row)) {
        output_text(output,
                    "        COMPREPLY=($(compgen -W \"$(syncl --rules 2>/dev/null | awk '{ print $1, $2 }')\" "
                    "-- \"$word\"))\n");
    } else if (is_file(row)) {
        output_text(
            output,
            "        compopt -o filenames\n        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n");
    }
    output_text(output, "        return ;;\n");
}

/* Readline treats `=` as a word of its own. */
static void write_bash(Output *output) {
    output_text(output, "_syncl() {\n"
                        "    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}\n"
                        "    if [[ $word == = ]]; then word=; elif [[ $option == = ]]; then "
                        "option=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                        "    COMPREPLY=()\n"
                        "    case $option in\n");
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].metavar) write_bash_case(output, &rows[i]);
    output_text(output, "    esac\n    if [[ $word == -* ]]; then\n        COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].name) output_format(output, "--%s ", rows[i].name);
    output_text(output, "\" -- \"$word\"))\n"
                        "    else\n"
                        "        compopt -o filenames\n"
                        "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
                        "    fi\n"
                        "}\n"
                        "complete -F _syncl syncl\n");
}

/* ---- zsh ---- */

static void write_zsh_row(Output *output, const Row *row) {
    output_text(output, "    ");
    if (row->letter)
        output_format(output, "'(-%c --%s)'{-%c%s,--%s%s}", row->letter, row->name, row->letter,
                      row->metavar ? "+" : "", row->name, row->metavar ? "=" : "");
    else
        output_format(output, "'--%s%s'", row->name, row->metavar ? "=" : "");
    output_text(output, "'[");
    write_quoted(output, row->help, "[]:\\");
    output_text(output, "]");
    if (row->metavar) output_format(output, ":%s:", row->metavar);
    if (row->words) {
        output_text(output, "(");
        write_words(output, row);
        output_text(output, ")");
    } else if (is_rule(row)) {
        output_text(output, "($(syncl --rules 2>/dev/null | awk \"{ print \\$1, \\$2 }\"))");
    } else if (is_file(row)) {
        output_text(output, "_files");
    }
    output_text(output, "' \\\n");
}

static void write_zsh(Output *output) {
    output_text(output, "#compdef syncl\n_arguments -s \\\n");
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].name) write_zsh_row(output, &rows[i]);
    output_text(output, "    '*:path:_files'\n");
}

/* ---- fish ---- */

static void write_fish_row(Output *output, const Row *row) {
    output_format(output, "complete -c syncl -l %s", row->name);
    if (row->letter) output_format(output, " -s %c", row->letter);
    if (row->metavar) output_text(output, is_file(row) ? " -r -F" : " -x");
    if (row->words) {
        output_text(output, " -a '");
        write_words(output, row);
        output_text(output, "'");
    } else if (is_rule(row)) {
        output_text(output, " -a \"(syncl --rules 2>/dev/null | awk '{ print \\$1; print \\$2 }')\"");
    }
    output_text(output, " -d '");
    for (const char *at = row->help; *at; at++)
        output_format(output, "%s%c", strchr("'\\", *at) ? "\\" : "", *at);
    output_text(output, "'\n");
}

void options_completions(Output *output, const char *shell) {
    if (strcmp(shell, "bash") == 0) write_bash(output);
    if (strcmp(shell, "zsh") == 0) write_zsh(output);
    for (size_t i = 0; i < ROW_COUNT && strcmp(shell, "fish") == 0; i++)
        if (rows[i].name) write_fish_row(output, &rows[i]);
}
