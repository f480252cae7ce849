/* Workflow commands, which GitHub shows beside the lines. Only SHOWN annotations of a level are kept, the rest vanish
   silently: so the dearest come as commands, the others as plain lines, and all of them in the step's summary. */
#include "glyph.h"
#include "report.h"

enum { SHOWN = 10, MESSAGE_BYTES = 4096, SUMMARY_BYTES = 1 << 20 };

/* ---- commands ---- */

/* Exactly as the runner undoes it: % first, then line ends; `:` and `,` in properties only. */
static void write_escaped(Output *output, Text text, bool property) {
    for (uint32_t at = 0; at < text.length; at++) {
        char c = text.bytes[at];
        bool separates = property && (c == ':' || c == ',');
        if (c == '%' || c == '\r' || c == '\n' || separates)
            output_format(output, "%%%02X", (unsigned)c);
        else
            output_bytes(output, text_slice(text, at, at + 1));
    }
}

/* The old form of commands is looked for anywhere in a line; a file name with it in it is no file of honest people. */
static Text harmless_path(Arena *arena, const Report *report, Text path) {
    Output harmless = {.arena = arena, .workflow = true};
    output_clean(&harmless, repository_path(arena, &report->options->repository, path));
    return output_guarded(&harmless);
}

static Text cut(Text text, uint32_t limit) {
    if (text.length <= limit) return text;
    while (limit > 0 && ((unsigned char)text.bytes[limit] & 0xC0) == 0x80) limit--;
    return text_slice(text, 0, limit);
}

/* Our line ends, their words made harmless. */
static Text message_of(Arena *arena, const Report *report, const Finding *finding) {
    Output message = {.arena = arena, .workflow = true};
    output_bytes(&message, report_cell(arena, finding));
    output_clean(&message, finding->message);
    output_text(&message, "\n");
    output_clean(&message, finding->site->frequency.text);
    output_text(&message, "; cost: ");
    output_clean(&message, finding->cost->text);
    output_text(&message, "\n");
    output_clean(&message, finding->suggestion);
    output_text(&message, "\n");
    output_clean(&message, report_profile_line(arena, report));
    return cut(output_guarded(&message), MESSAGE_BYTES);
}

static void write_command(Output *output, const Report *report, const Finding *finding) {
    Arena *arena = output->arena;
    output_text(output, finding->site->level == LEVEL_ERROR     ? "::error file="
                        : finding->site->level == LEVEL_WARNING ? "::warning file="
                                                                : "::notice file=");
    write_escaped(output, harmless_path(arena, report, finding->file->path), true);
    Position start = finding->raw_start, end = finding->raw_end;
    output_format(output, ",line=%u,endLine=%u", start.line, end.line);
    if (start.line == end.line) output_format(output, ",col=%u,endColumn=%u", start.column, end.column);
    output_text(output, ",title=");
    write_escaped(output, finding->rule, true);
    output_text(output, " ");
    write_escaped(output, finding->code, true);
    output_text(output, "::");
    write_escaped(output, message_of(arena, report, finding), false);
    output_text(output, "\n");
}

static void write_broken(Output *output, const Report *report, const Broken *broken) {
    output_text(output, report->options->fail_on_broken ? "::error file=" : "::warning file=");
    write_escaped(output, harmless_path(output->arena, report, broken->file->path), true);
    output_format(output, ",line=%u,col=%u,title=read in part::", broken->raw.line, broken->raw.column);
    write_escaped(output, broken_sentence(output->arena, broken), false);
    output_text(output, "\n");
}

/* ---- the log ---- */

static void write_plain(Output *output, const Finding *finding) {
    output_bytes(output, report_place(output->arena, finding));
    output_text(output, ": ");
    output_clean(output, finding->code);
    output_text(output, " ");
    output_clean(output, finding->message);
    output_text(output, " (");
    output_clean(output, finding->cost->text);
    output_text(output, ")\n");
}

/* Everything that is no command, guarded against becoming one. */
static void write_rest(Output *output, const Report *report, const bool *commanded, uint32_t broken) {
    Output rest = {.arena = output->arena, .workflow = true};
    for (uint32_t i = 0; i < report->findings.count; i++)
        if (!commanded[i]) write_plain(&rest, &report->findings.items[i]);
    for (uint32_t i = broken; i < report->broken.count; i++) {
        output_bytes(&rest, broken_line(output->arena, &report->broken.items[i]));
        output_text(&rest, "\n");
    }
    report_comparison(&rest, report);
    if (!report->options->quiet) {
        output_clean(&rest, report_summary_line(rest.arena, report));
        output_text(&rest, " ");
        output_clean(&rest, report_profile_line(rest.arena, report));
        output_text(&rest, "\n");
    }
    output_bytes(output, output_guarded(&rest));
}

void report_github(Output *output, const Report *report) {
    bool *commanded = arena_new(output->arena, bool, report->findings.count + 1u);
    uint32_t shown[LEVEL_ERROR + 1] = {0}, broken = 0;
    output->workflow = false; /* commands are meant here; the rest is guarded apart */
    Level of_broken = report->options->fail_on_broken ? LEVEL_ERROR : LEVEL_WARNING;
    for (; broken < report->broken.count && shown[of_broken] < SHOWN; broken++, shown[of_broken]++)
        write_broken(output, report, &report->broken.items[broken]);
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        if (shown[finding->site->level]++ >= SHOWN) continue;
        write_command(output, report, finding);
        commanded[i] = true;
    }
    write_rest(output, report, commanded, broken);
}

/* ---- the summary ---- */

/* Words in a table of Markdown: whatever could be markup, a link or the table's own bar becomes an entity. */
static void write_markdown(Output *output, Text text) {
    for (uint32_t at = 0; at < text.length;) {
        Glyph glyph = glyph_next(text, at);
        bool markup = glyph.length == 1 && strchr("|&<>[]()*_`~\\#@!:{}$\"'", glyph.bytes[0]);
        if (markup)
            output_format(output, "&#%d;", glyph.bytes[0]);
        else
            output_bytes(output, (Text){glyph.bytes, glyph.length});
        at += glyph.consumed;
    }
}

static void write_summary_row(Output *output, const Report *report, const Finding *finding) {
    Arena *arena = output->arena;
    output_text(output, "| ");
    write_markdown(output, finding->cost->text);
    output_text(output, " | ");
    write_markdown(output, repository_path(arena, &report->options->repository, finding->file->path));
    if (finding->cell) output_format(output, "&#58;cell %u", finding->cell);
    output_format(output, "&#58;%u | ", finding->start.line);
    write_markdown(output, finding->rule);
    output_text(output, " | ");
    write_markdown(output, finding->message);
    output_text(output, " | ");
    write_markdown(output, finding->site->frequency.text);
    output_text(output, " |\n");
}

/* As a block of code, by its indent: nothing in it can end that. */
static void write_comparison(Output *output, const Report *report) {
    Output lines = {.arena = output->arena, .workflow = true};
    report_comparison(&lines, report);
    Text all = output_guarded(&lines);
    for (uint32_t at = 0; at < all.length; at++) {
        if (at == 0 || all.bytes[at - 1] == '\n') output_text(output, "    ");
        output_bytes(output, (Text){all.bytes + at, 1});
    }
    if (all.length) output_text(output, "\n");
}

void report_github_summary(Output *output, const Report *report) {
    output_text(output, "### syncl: where the CPU waits for the GPU\n\n");
    write_markdown(output, report_summary_line(output->arena, report));
    output_text(output, " ");
    write_markdown(output, report_profile_line(output->arena, report));
    output_text(output, "\n\n");
    for (uint32_t i = 0; i < report->broken.count && i < SHOWN; i++) {
        output_text(output, "- ");
        write_markdown(output, broken_line(output->arena, &report->broken.items[i]));
        output_text(output, "\n");
    }
    if (report->broken.count) output_text(output, "\n");
    write_comparison(output, report);
    if (report->findings.count == 0) return;
    output_text(output, "| cost | where | rule | what | how often |\n| --- | --- | --- | --- | --- |\n");
    for (uint32_t i = 0; i < report->findings.count; i++) {
        uint32_t before = output->bytes.count;
        write_summary_row(output, report, &report->findings.items[i]);
        if (output->bytes.count <= SUMMARY_BYTES / 2) continue; /* other steps write there too */
        output->bytes.count = before;
        output_format(output, "\n%u more findings are in the log.\n", report->findings.count - i);
        return;
    }
}
