#include "report_lines.h"
#include "cost_text.h"
#include "glyph.h"
#include "observed.h"
#include "place.h"
#include "snippet.h"
#include <ctype.h>
#include <math.h>

enum { LEAST_EXPRESSION = 16, LINES_NAMED = 6, WRITES_SHOWN = 2, TRAININGS_TOLD = 2 };
enum { EDIT_INDENT = 7, LOST = 8 }; /* of what is folded below an edit; of a line, where a word does not fit */

uint32_t lines_width(const Output *output) { return output->columns ? output->columns : COLUMNS_USUAL; }

/* ---- words ---- */

/* Outside of backticks. */
Text lines_clause(Text message) {
    static const char *const breaks[] = {", ", ": ", "; ", " and "};
    bool code = false;
    for (uint32_t at = 0; at < message.length; at++) {
        Text rest = text_slice(message, at, message.length);
        if (message.bytes[at] == '`') code = !code;
        for (size_t i = 0; !code && i < sizeof breaks / sizeof *breaks; i++)
            if (text_starts(rest, text_of(breaks[i]))) return text_slice(message, 0, at);
    }
    return text_ends(message, TEXT(".")) ? text_slice(message, 0, message.length - 1) : message;
}

/* What is too long is cut in its name, so that the place stays whole. */
Text lines_loop_name(Arena *arena, const Report *report, HotLoopId id, uint32_t columns) {
    const HotLoop *loop = &report->analysis->findings->loops.items[id];
    const SourceFile *file = &report->analysis->program->files.items[loop->file];
    Text path = glyph_clean(arena, file->path), line = place_text(arena, file, loop->head.start);
    Text place = text_format(arena, " (%.*s:%.*s)", (int)path.length, path.bytes, (int)line.length, line.bytes);
    uint32_t taken = glyph_width(place);
    uint32_t room = columns > taken + LEAST_EXPRESSION ? columns - taken : LEAST_EXPRESSION;
    Text name = columns ? columns_cut(arena, loop->name, room) : glyph_clean(arena, loop->name);
    int first = name.length ? toupper((unsigned char)name.bytes[0]) : ' ';
    return text_format(arena, "%c%.*s%.*s", first, (int)(name.length ? name.length - 1 : 0),
                       name.bytes + (name.length > 0), (int)place.length, place.bytes);
}

static double percent(double share) {
    double value = 100 * share;
    return value < 10 ? round(value * 10) / 10 : round(value);
}

Text lines_share(Arena *arena, const CostJoint *joint) {
    double low = percent(joint->share.low), high = percent(joint->share.high);
    if (low < 0.1) return text_format(arena, "up to %.3g %%", high);
    if (low >= high) return text_format(arena, "%.3g %%", high);
    return text_format(arena, "%.3g to %.3g %%", low, high);
}

/* Each of them gains by itself: a run has one or the other. */
static Text others(Arena *arena, const PlanGroup *group) {
    if (!group->also.count) return TEXT("");
    return text_format(arena, ", likewise in %u other loop%s", group->also.count,
                       group->also.count == 1 ? "" : "s");
}

Text lines_gain(Arena *arena, const Report *report, const PlanGroup *group) {
    const HotLoop *loop = &report->analysis->findings->loops.items[group->loop];
    return text_format(arena, "gains %s %s (%s)%s%s%s, %s", cost_text_range(arena, group->joint.gain).bytes,
                       cost_text_a(loop->unit), lines_share(arena, &group->joint).bytes,
                       group->on_top ? " once the loop's other groups are mended" : "",
                       group->measured ? ", measured" : "", others(arena, group).bytes,
                       report_confidence(group->confidence).bytes);
}

static bool is_training(const Report *report, const PlanLoop *loop) {
    return unit_trains(report->analysis->findings->loops.items[loop->loop].unit);
}

Text lines_pace(Arena *arena, const Report *report, const PlanLoop *loop) {
    bool gains = loop->joint.share.low >= 0.01;
    if (!loop->host_paces || !is_training(report, loop) || gains) return (Text){"", 0};
    Text name = lines_loop_name(arena, report, loop->loop, 0);
    return text_format(arena,
                       "%.*s: the host sets the pace by far, and the GPU idles at least half of the time. "
                       "Mending waits may gain nothing there: make the host's own work shorter first.",
                       (int)name.length, name.bytes);
}

Text lines_order(void) { return TEXT("a sure gain before a possible one, training before other loops"); }

/* ---- the plan ---- */

static void write_number(Output *output, uint32_t number, const PlanGroup *group) {
    output_format(output, "%u. ", number);
    output_style(output, STYLE_BOLD);
    output_link(output, &group->file->path);
    output_clean(output, group->where);
    output_link(output, NULL);
    output_style(output, STYLE_PLAIN);
}

/* "; mends 9 findings: 12, 14, 20 and 6 more"; nothing for one that stands where the group does. A line is named once. */
static Text members(Arena *arena, const PlanGroup *group) {
    Text text = text_format(arena, "; mends %u findings: ", group->findings.count), last = {"", 0};
    const SourceFile *file = group->file;
    uint32_t named = 0, i = 0;
    for (; i < group->findings.count && named < LINES_NAMED; i++) {
        const Finding *finding = group->findings.items[i];
        Text line = place_text(arena, finding->file, finding->site->span.start);
        Text path = finding->file == file ? (Text){"", 0} : finding->file->path;
        if (!path.length && text_equal(line, last)) continue;
        text = text_format(arena, "%.*s%s%.*s%s%.*s", (int)text.length, text.bytes, named++ ? ", " : "",
                           (int)path.length, path.bytes, path.length ? ":" : "", (int)line.length, line.bytes);
        file = finding->file, last = line;
    }
    uint32_t more = group->findings.count - i;
    if (group->findings.count < 2) return (Text){"", 0};
    return more ? text_format(arena, "%.*s and %u more", (int)text.length, text.bytes, more) : text;
}

/* In at most so many lines of the report's width. */
static void write_edit(Output *output, Text edit, const char *mark, uint32_t lines) {
    uint32_t width = lines_width(output), first = width - (uint32_t)strlen(mark);
    output_text(output, mark);
    output_bytes(output,
                 columns_cut(output->arena, edit, first + (lines - 1) * (width - EDIT_INDENT) - lines * LOST));
    output_text(output, "\n");
}

static void write_group(Output *output, const Report *report, uint32_t i) {
    const PlanGroup *group = &report->plan->groups.items[i];
    Arena *arena = output->arena;
    bool several = group->write_count > 1;
    write_number(output, i + 1, group);
    output_text(output, "  ");
    output_clean(output, lines_gain(arena, report, group));
    output_clean(output, members(arena, group));
    output_text(output, "\n");
    if (group->together)
        output_text(output, "   These only gain together, since each wait alone moves to the next:\n");
    for (uint32_t w = 0; w < group->write_count && w < WRITES_SHOWN; w++)
        write_edit(output, group->writes[w], several ? "   - " : "   ", several ? 2 : 3);
    if (group->write_count > WRITES_SHOWN)
        output_format(output, "   - and %u more: --output-format=json has them\n",
                      group->write_count - WRITES_SHOWN);
}

/* "a training step takes 3 to 34 ms (assumed)". */
static Text turn_of(Text text) {
    for (uint32_t at = 0; at < text.length; at++)
        if (text_starts(text_slice(text, at, text.length), TEXT("), "))) return text_slice(text, 0, at + 1);
    return text;
}

static void write_verdict(Output *output, const Report *report, const PlanLoop *loop) {
    Arena *arena = output->arena;
    output_clean(output, lines_loop_name(arena, report, loop->loop, lines_width(output)));
    output_text(output, ": ");
    output_clean(output, turn_of(report->analysis->costs->loops[loop->loop].text));
    output_format(output, "; the plan gains %s (%s)", cost_text_range(arena, loop->planned.gain).bytes,
                  lines_share(arena, &loop->planned).bytes);
    Text deciding = report->analysis->costs->loops[loop->loop].deciding;
    if (deciding.length && !ledger_of_loop(report->analysis->ledger, loop->loop))
        output_clean(output, text_format(arena, "; whether that is worth it depends on %.*s",
                                         (int)deciding.length, deciding.bytes));
    output_text(output, "\n");
}

/* Of one group that is alone in its loop the gain stands above; how long a training step takes is worth a line, where there
   are few of them. */
static void write_verdicts(Output *output, const Report *report) {
    const Plan *plan = report->plan;
    uint32_t trainings = 0;
    for (uint32_t i = 0; i < plan->loops.count; i++)
        trainings += plan->loops.items[i].groups && is_training(report, &plan->loops.items[i]);
    for (uint32_t i = 0; i < plan->loops.count; i++) {
        const PlanLoop *loop = &plan->loops.items[i];
        bool alone = loop->groups == 1 && trainings <= TRAININGS_TOLD && is_training(report, loop);
        if (loop->groups > 1 || alone) write_verdict(output, report, loop);
    }
}

/* Of the training steps. */
static void write_pace(Output *output, const Report *report) {
    for (uint32_t i = 0; i < report->plan->loops.count; i++) {
        Text pace = lines_pace(output->arena, report, &report->plan->loops.items[i]);
        output_clean(output, pace);
        if (pace.length) output_text(output, "\n\n");
    }
}

void lines_plan(Output *output, const Report *report) {
    const Plan *plan = report->plan;
    if (!plan) return;
    uint32_t from = output->bytes.count;
    write_pace(output, report);
    if (plan->shown) {
        output_style(output, STYLE_BOLD);
        output_text(output, "What to do first");
        output_style(output, STYLE_PLAIN);
        output_format(output, " (%s)\n\n", lines_order().bytes);
    }
    for (uint32_t i = 0; i < plan->shown; i++) write_group(output, report, i);
    if (plan->shown) output_text(output, "\n");
    uint32_t said = output->bytes.count;
    write_verdicts(output, report);
    if (plan->groups.count > plan->shown)
        output_format(output, "%u more group%s: --top=%u\n", plan->groups.count - plan->shown,
                      plan->groups.count - plan->shown == 1 ? "" : "s", plan->groups.count);
    if (output->bytes.count > said) output_text(output, "\n");
    columns_fold(output, from, lines_width(output));
}

/* ---- a finding in a line ---- */

/* A remark on a comment has no price, but something to say. */
static void write_remark(Output *output, const Finding *finding) {
    output_bytes(output, report_place(output->arena, finding));
    output_text(output, ": ");
    output_style(output, finding->site->level >= LEVEL_WARNING ? STYLE_WARNING : STYLE_NOTE);
    output_bytes(output, report_level(finding->site->level));
    output_text(output, " ");
    output_clean(output, finding->rule);
    output_style(output, STYLE_PLAIN);
    output_text(output, " ");
    output_clean(output, lines_clause(finding->message));
    output_text(output, "\n");
}

void lines_finding(Output *output, const Report *report, uint32_t index, uint32_t indent) {
    const Finding *finding = &report->findings.items[index];
    Arena *arena = output->arena;
    Text place = report_place(arena, finding), price = cost_text_short(arena, finding->site, finding->cost);
    Text source = snippet_line(arena, source_text(finding->file, finding->site->span), 0);
    Text seen = report->observed ? observed_word(report->observed->seen[index]) : (Text){"", 0};
    Text head = text_format(arena, ": %s ", report_level(finding->site->level).bytes);
    Text rule = text_format(arena, "%.*s", (int)finding->rule.length, finding->rule.bytes);
    Text tail = text_format(arena, ", %.*s%s%.*s", (int)price.length, price.bytes, seen.length ? ", " : "",
                            (int)seen.length, seen.bytes);
    uint32_t taken = indent + glyph_width(place) + head.length + rule.length + tail.length + 3;
    uint32_t from = output->bytes.count, width = lines_width(output);
    if (!finding->id) {
        output_repeat(output, ' ', indent);
        write_remark(output, finding);
        columns_fold(output, from, width);
        return;
    }
    uint32_t room = taken + LEAST_EXPRESSION < width ? width - taken : LEAST_EXPRESSION;
    output_repeat(output, ' ', indent);
    output_link(output, &finding->file->path);
    output_bytes(output, place);
    output_link(output, NULL);
    output_style(output, finding->site->level >= LEVEL_WARNING ? STYLE_WARNING : STYLE_NOTE);
    output_bytes(output, head);
    output_clean(output, rule);
    output_style(output, STYLE_PLAIN);
    output_text(output, " `");
    output_bytes(output, columns_cut(arena, source, room));
    output_text(output, "`");
    output_clean(output, tail);
    output_text(output, "\n");
    columns_fold(output, from, width);
}
