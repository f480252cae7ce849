/* The table of options as shell completions and as a manual page. */
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

static bool is_file(const Row *row) { return row->metavar && strcmp(row->metavar, "FILE") == 0; }

static bool is_rule(const Row *row) { return row->metavar && strncmp(row->metavar, "RULE", 4) == 0; }

static void write_words(Output *output, const Row *row) {
    for (const char *at = row->words; *at; at++) output_format(output, "%c", *at == '|' ? ' ' : *at);
}

/* `text` with a backslash before each of `special`; a quote ends, is escaped, and begins again. */
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

/* Readline takes `=` for a word of its own. */
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

/* ---- the manual page ---- */

/* A hyphen of an option is a minus, or copies of it do not work. */
static void write_roff(Output *output, const char *text) {
    for (; *text; text++) {
        if (*text == '-')
            output_text(output, "\\-");
        else if (*text == '\\')
            output_text(output, "\\e");
        else if (*text == '|')
            output_text(output, "|\\:"); /* a line may end here */
        else
            output_format(output, "%c", *text);
    }
}

static void write_man_row(Output *output, const Row *row) {
    output_text(output, ".TP\n\\fB");
    if (row->letter) output_format(output, "\\-%c\\fR, \\fB", row->letter);
    output_text(output, "\\-\\-");
    write_roff(output, row->name);
    output_text(output, "\\fR");
    if (row->metavar) output_format(output, "=\\fI%s\\fR", row->metavar);
    output_text(output, "\n\\&"); /* a line may not begin with a dot or a quote */
    if (row->words) {
        write_roff(output, row->words);
        output_text(output, ": ");
    }
    write_roff(output, row->help);
    output_text(output, "\n");
}

void options_man(Output *output, const char *version) {
    output_format(output, ".TH SYNCL 1 \"\" \"syncl %s\" \"User Commands\"\n.ad l\n", version);
    output_text(
        output,
        ".SH NAME\nsyncl \\- find where PyTorch code makes the CPU wait for the GPU, and price it\n"
        ".SH SYNOPSIS\n\\fBsyncl\\fR [\\fIOPTIONS\\fR] \\fIPATH\\fR...\n.br\n"
        "\\fBsyncl\\fR @\\fIFILE\\fR\n.br\n\\fBsyncl \\-\\-calibrate\\fR\n"
        ".SH DESCRIPTION\nPaths are files, notebooks, directories to walk, or \\- for standard input. "
        "@\\fIFILE\\fR stands for the lines of \\fIFILE\\fR as arguments. The analysis needs no Python, no "
        "PyTorch and no GPU.\n.SH OPTIONS\n");
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].name)
            write_man_row(output, &rows[i]);
        else
            output_format(output, ".SS %s\n", rows[i].help);
    }
    output_text(
        output,
        ".SH EXIT STATUS\n.TP\n0\nnothing at the failing level\n.TP\n1\nfindings at it\n.TP\n2\n"
        "could not run: one line on standard error says why\n"
        ".SH ENVIRONMENT\n.TP\nNO_COLOR\nno colours and no links unless "
        "\\fB\\-\\-color\\fR=\\fIalways\\fR\n.TP\n"
        "GITHUB_ACTIONS\nnothing in the output can be a workflow command but syncl's own\n.TP\n"
        "GITHUB_STEP_SUMMARY\n\\fB\\-\\-output\\-format\\fR=\\fIgithub\\fR appends its table to this file\n");
}
