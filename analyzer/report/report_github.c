/* Workflow commands, which GitHub shows beside the lines. Only SHOWN annotations of a level are kept and the
   others silently dropped, so the first findings are commands, the others plain lines, and the step's summary
   has all. */
#include "cost_text.h"
#include "glyph.h"
#include "report_lines.h"

enum { SHOWN = 10, MESSAGE_BYTES = 4096 };

/* ---- commands ---- */

/* The exact escaping that the runner undoes: % first, then line ends; `:` and `,` in properties only. */
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

/* The runner looks for the old form of commands anywhere in a line, so a path that contains it is not shown as
   it is. */
static Text harmless_path(Arena *arena, const Report *report, Text path) {
    Output harmless = {.arena = arena, .workflow = true};
    output_clean(&harmless, repository_path(arena, &report->options->repository, path));
    return output_guarded(&harmless);
}

/* What mending gains: with its group of the plan, else alone. */
static Text gain_of(Arena *arena, const Report *report, const Finding *finding) {
    uint32_t index = (uint32_t)(finding - report->findings.items);
    uint32_t at = report->plan ? report->plan->group_of[index] : 0;
    Text often = finding->site->frequency.text, price = cost_text_short(arena, finding->site, finding->cost);
    if (!at) return text_format(arena, "Costs %.*s; runs %.*s.", SHOWN(price), SHOWN(often));
    const PlanGroup *group = &report->plan->groups.items[at - 1];
    Text gain = lines_gain(arena, report, group);
    if (group->findings.count == 1)
        return text_format(arena, "Mending it %.*s; runs %.*s.", SHOWN(gain), SHOWN(often));
    return text_format(arena, "Mending it with %u more (group %u of the plan) %.*s; runs %.*s.",
                       group->findings.count - 1, at, SHOWN(gain), SHOWN(often));
}

/* Line ends are our own; text of the analysed files is made safe. */
static Text message_of(Arena *arena, const Report *report, const Finding *finding) {
    Output message = {.arena = arena, .workflow = true};
    output_bytes(&message, report_cell(arena, finding));
    output_clean(&message, gain_of(arena, report, finding));
    output_text(&message, "\n");
    output_clean(&message, finding->message);
    output_text(&message, "\n");
    output_clean(&message, finding->suggestion);
    return text_cut(output_guarded(&message), MESSAGE_BYTES);
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
    output_clean(output, cost_text_short(output->arena, finding->site, finding->cost));
    output_text(output, ")\n");
}

/* Writes everything that is not a command, guarded against becoming one. */
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
    output->workflow = false; /* commands are intended here; the rest was guarded separately */
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
