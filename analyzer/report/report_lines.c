#include "report_lines.h"
#include "cost_text.h"
#include "glyph.h"
#include "observed.h"
#include "path.h"
#include "place.h"
#include "snippet.h"
#include <ctype.h>
#include <math.h>

enum { LEAST_EXPRESSION = 16, LINES_NAMED = 6, GROUP_LINES = 25, VERDICT_LINES = 3 };
/* limits of lines for the plan on a screen */
enum { LEAST_LINES = 4, MOST_LINES = 9 };
enum {
    GROUP_INDENT = 3,
    EDIT_INDENT = 7,
    LOST = 8
}; /* of what is folded below an edit; of a line, where a word does not fit */

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

/* Shortens a loop name: first its code, last its function: "training step of `for x, y in ...` in fit()", then "training step in
   fit()". */
static Text cut_name(Arena *arena, Text name, uint32_t room) {
    enum { LEAST_CODE = 12 };
    uint32_t open = 0, close = name.length;
    while (open < name.length && name.bytes[open] != '`') open++;
    while (close > open && name.bytes[close - 1] != '`') close--;
    Text head = text_slice(name, 0, open), tail = text_slice(name, close, name.length);
    uint32_t around = glyph_width(head) + glyph_width(tail) + 2;
    if (glyph_width(name) <= room || close < open + 2) return columns_cut(arena, name, room);
    if (room >= around + LEAST_CODE) {
        Text code = columns_cut(arena, text_slice(name, open + 1, close - 1), room - around);
        return text_format(arena, "%.*s`%.*s`%.*s", (int)head.length, head.bytes, (int)code.length, code.bytes,
                           (int)tail.length, tail.bytes);
    }
    uint32_t said = text_ends(head, TEXT(" of ")) ? head.length - 4 : head.length;
    return columns_cut(
        arena, text_format(arena, "%.*s%.*s", (int)said, head.bytes, (int)tail.length, tail.bytes), room);
}

/* A long line is cut in the name, so that the place stays whole. */
Text lines_loop_name(Arena *arena, const Report *report, HotLoopId id, uint32_t columns) {
    const HotLoop *loop = &report->analysis->findings->loops.items[id];
    const SourceFile *file = &report->analysis->program->files.items[loop->file];
    Text path = glyph_clean(arena, file->path), line = place_text(arena, file, loop->head.start);
    Text place = text_format(arena, " (%.*s:%.*s)", (int)path.length, path.bytes, (int)line.length, line.bytes);
    uint32_t taken = glyph_width(place);
    uint32_t room = columns > taken + LEAST_EXPRESSION ? columns - taken : LEAST_EXPRESSION;
    Text name = columns ? cut_name(arena, loop->name, room) : glyph_clean(arena, loop->name);
    int first = name.length ? toupper((unsigned char)name.bytes[0]) : ' ';
    return text_format(arena, "%c%.*s%.*s", first, (int)(name.length ? name.length - 1 : 0),
                       name.bytes + (name.length > 0), (int)place.length, place.bytes);
}

static double percent(double share) {
    double value = 100 * share;
    return value < 10 ? round(value * 10) / 10 : round(value);
}

/* "2 to 5 %", "up to 3 %" */
static Text share_text(Arena *arena, const CostJoint *joint) {
    double low = percent(joint->share.low), high = percent(joint->share.high);
    if (low < 0.1) return text_format(arena, "up to %.3g %%", high);
    if (low >= high) return text_format(arena, "%.3g %%", high);
    return text_format(arena, "%.3g to %.3g %%", low, high);
}

/* The path below the last folder that also contains the group's file. */
static Text near_path(const PlanGroup *group, const SourceFile *file) {
    Text path = file->path;
    return text_slice(path, path_shared_folder(path, group->file->path), path.length);
}

/* ", repeated by the loop at line 268": why it runs several times, and where all of them can be mended. */
static Text inner_turns(Arena *arena, const Report *report, const PlanGroup *group) {
    const Finding *first = group->findings.items[0];
    const Site *site = first->site;
    const HotLoop *hot = &report->analysis->findings->loops.items[group->loop];
    for (uint32_t i = 0; site->frequency.times != 1 && i < site->reason_count; i++) {
        const Reason *reason = &site->reasons[i];
        if (!reason->loop) continue;
        if (reason->file == hot->file && reason->span.start == hot->head.start) break;
        const SourceFile *file = &report->analysis->program->files.items[reason->file];
        Text line = place_text(arena, file, reason->span.start);
        bool here = file == group->file;
        Text path = here ? TEXT("line ") : near_path(group, file);
        return text_format(arena, ", repeated by the loop at %.*s%s%.*s", (int)path.length, path.bytes,
                           here ? "" : ":", (int)line.length, line.bytes);
    }
    return TEXT("");
}

Text lines_gain(Arena *arena, const Report *report, const PlanGroup *group) {
    const HotLoop *loop = &report->analysis->findings->loops.items[group->loop];
    return text_format(arena, "gains %s %s (%s)%s%s%s, %s", cost_text_range(arena, group->joint.gain).bytes,
                       unit_a(loop->unit), share_text(arena, &group->joint).bytes,
                       inner_turns(arena, report, group).bytes,
                       group->on_top ? " once the loop's other groups are mended" : "",
                       group->measured ? ", measured" : "", confidence_word(group->confidence).bytes);
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

void lines_head(Output *output, const Finding *finding, Text place, Text label) {
    output_style(output, STYLE_BOLD);
    output_link(output, &finding->file->path);
    output_bytes(output, place);
    output_link(output, NULL);
    output_style(output, STYLE_PLAIN);
    output_text(output, ": ");
    output_style(output, finding->site->level >= LEVEL_WARNING ? STYLE_WARNING : STYLE_NOTE);
    output_clean(output, label);
    output_style(output, STYLE_PLAIN);
}

/* ---- the plan ---- */

static void write_number(Output *output, uint32_t number, const PlanGroup *group) {
    output_format(output, "%u. ", number);
    output_style(output, STYLE_BOLD);
    output_link(output, &group->file->path);
    output_clean(output, group->where);
    output_link(output, NULL);
    output_style(output, STYLE_PLAIN);
}

/* Whether it is listed: all lines in the group's file, and one of each other file. */
static bool is_named(const PlanGroup *group, uint32_t i) {
    const SourceFile *file = group->findings.items[i]->file;
    if (file == group->file) return true;
    for (uint32_t f = i; f-- > 0;)
        if (group->findings.items[f]->file == file) return false;
    return true;
}

static bool holds_line(const Text *lines, uint32_t count, Text line) {
    for (uint32_t i = 0; i < count; i++)
        if (text_equal(lines[i], line)) return true;
    return false;
}

/* "; mends 9 findings: 12, 14, a.py:20 and 6 more"; empty for a single one at the group's place. A line is
   named once. */
static Text members(Arena *arena, const PlanGroup *group) {
    Text text = {"", 0}, lines[LINES_NAMED];
    uint32_t named = 0, told = 0, own = 0;
    for (uint32_t i = 0; i < group->findings.count && named < LINES_NAMED; i++) {
        const Finding *finding = group->findings.items[i];
        bool here = finding->file == group->file;
        Text line = place_text(arena, finding->file, finding->site->span.start);
        Text path = here ? (Text){"", 0} : near_path(group, finding->file);
        bool again = here && holds_line(lines, own, line);
        if (!again && !is_named(group, i)) continue;
        told++;
        if (again) continue;
        text = text_format(arena, "%.*s%s%.*s%s%.*s", (int)text.length, text.bytes, named++ ? ", " : "",
                           (int)path.length, path.bytes, here ? "" : ":", (int)line.length, line.bytes);
        if (here) lines[own++] = line;
    }
    uint32_t more = group->findings.count - told;
    if (group->findings.count < 2) return (Text){"", 0};
    Text alone = text_format(arena, ":%.*s", (int)text.length, text.bytes);
    if (!more && named == 1 && text_ends(group->where, alone))
        return text_format(arena, "; mends %u findings in that line", group->findings.count);
    const char *rest = more ? text_format(arena, " and %u more", more).bytes : "";
    return text_format(arena, "; mends %u findings: %.*s%s", group->findings.count, (int)text.length,
                       text.bytes, rest);
}

/* One line stands for all of a function, whose findings are adjacent. */
static bool is_told(const PlanGroup *group, uint32_t i) {
    const Finding *finding = group->alike.items[i], *before = i ? group->alike.items[i - 1] : NULL;
    return before && before->file == finding->file &&
           source_function(before->file, before->site) == source_function(finding->file, finding->site);
}

/* "line 12" in the group's file, "a.py:12" in another; the number alone if the place before it is in the same
   file. */
static Text place_near(Arena *arena, const PlanGroup *group, const Finding *finding, const Finding *before) {
    Text line = place_text(arena, finding->file, finding->site->span.start);
    if (before && before->file == finding->file) return line;
    bool cell = text_starts(line, TEXT("cell"));
    if (finding->file == group->file)
        return text_format(arena, "%s%.*s", cell ? "" : "line ", (int)line.length, line.bytes);
    Text path = near_path(group, finding->file);
    return text_format(arena, "%.*s:%.*s", (int)path.length, path.bytes, (int)line.length, line.bytes);
}

Text lines_alike(Arena *arena, const PlanGroup *group, uint32_t columns) {
    Text names = {"", 0}, text = {"", 0};
    const Finding *before = NULL;
    uint32_t count = 0, named = 0;
    for (uint32_t i = 0; i < group->alike.count; i++) count += !is_told(group, i);
    for (uint32_t i = 0; i < group->alike.count; i++) {
        const Finding *finding = group->alike.items[i];
        if (is_told(group, i)) continue;
        Text place = place_near(arena, group, finding, before);
        names = text_format(arena, "%.*s%s%.*s", (int)names.length, names.bytes, named ? ", " : "",
                            (int)place.length, place.bytes);
        Text longer = text_format(arena, "The same in %u other place%s: %.*s", count, count == 1 ? "" : "s",
                                  (int)names.length, names.bytes);
        if (++named < count) longer = text_format(arena, "%s and %u more", longer.bytes, count - named);
        if (named > 1 && glyph_width(longer) > columns) break;
        text = longer, before = finding;
    }
    return text;
}

/* The number of lines when folded; somewhat more where long words do not fit. */
static uint32_t lines_of(const Output *output, Text text) {
    uint32_t room = lines_width(output) - EDIT_INDENT - LOST / 2, taken = glyph_width(text) + 1;
    return (taken + room - 1) / room;
}

/* Puts the line before advice that names none. */
static Text named(Arena *arena, const PlanGroup *group, const PlanWrite *write, Text text) {
    const Finding *first = write->first;
    if (text_holds(text, "(line ")) return text;
    Text line = place_text(arena, first->file, first->site->span.start);
    if (first->file == group->file)
        return text_format(arena, "Line %.*s: %.*s", (int)line.length, line.bytes, (int)text.length,
                           text.bytes);
    Text path = near_path(group, first->file);
    if (text_holds(text, path.bytes)) return text;
    return text_format(arena, "%.*s:%.*s: %.*s", (int)path.length, path.bytes, (int)line.length, line.bytes,
                       (int)text.length, text.bytes);
}

/* What to write, in so many lines: if too long, with fewer places or without its explanation. */
static Text short_edit(const Output *output, const PlanGroup *group, const PlanWrite *write, uint32_t lines) {
    Text forms[] = {write->text, write->brief, mend_clause(write->brief)};
    for (size_t i = group->write_count > 3 ? 2 : 0;; i++) {
        Text text = group->write_count > 1 ? named(output->arena, group, write, forms[i]) : forms[i];
        if (i == 2 || lines_of(output, text) <= lines) return text;
    }
}

/* Names the lines of further edits. */
static void write_rest(Output *output, const PlanGroup *group, uint32_t from) {
    Text text = {"", 0};
    for (uint32_t w = from; w < group->write_count; w++) {
        const Finding *before = w > from ? group->writes[w - 1].first : NULL;
        Text place = place_near(output->arena, group, group->writes[w].first, before);
        text = text_format(output->arena, "%.*s%s%.*s", (int)text.length, text.bytes, before ? ", " : "",
                           (int)place.length, place.bytes);
    }
    output_text(output, "   - For ");
    output_clean(output, text);
    output_text(output, ", -v says what to write\n");
}

/* Writes as many edits as fit into the group's lines, at least one. */
static void write_edits(Output *output, const PlanGroup *group, uint32_t lines) {
    uint32_t used = 0, w = 0;
    bool several = group->write_count > 1;
    for (; w < group->write_count; w++) {
        const PlanWrite *write = &group->writes[w];
        bool last = w + 1 == group->write_count;
        Text text = short_edit(output, group, write, lines < 2 ? 1 : several || lines < 3 ? 2 : 3);
        uint32_t taken = lines_of(output, text);
        if (w && used + taken + !last > lines) break;
        output_text(output, several ? "   - " : "   ");
        output_clean(output, text);
        output_text(output, "\n");
        used += taken;
    }
    if (w < group->write_count) write_rest(output, group, w);
}

/* Writes a group in so many lines, as far as at least one edit fits. */
static void write_group(Output *output, const Report *report, uint32_t i, uint32_t lines) {
    const PlanGroup *group = &report->plan->groups.items[i];
    Arena *arena = output->arena;
    Text gain = lines_gain(arena, report, group), mends = members(arena, group);
    Text head = text_format(arena, "1.    %.*s%.*s%.*s", (int)group->where.length, group->where.bytes,
                            (int)gain.length, gain.bytes, (int)mends.length, mends.bytes);
    uint32_t used = lines_of(output, head);
    write_number(output, i + 1, group);
    output_text(output, "  ");
    output_clean(output, gain);
    output_clean(output, mends);
    output_text(output, "\n");
    uint32_t told = lines == MOST_LINES ? 2 : 1;
    Text alike = lines_alike(arena, group, told * (lines_width(output) - EDIT_INDENT) + EDIT_INDENT / 2);
    used += lines_of(output, alike) * (alike.length > 0);
    write_edits(output, group, lines > used ? lines - used : 0);
    if (!alike.length) return;
    output_repeat(output, ' ', GROUP_INDENT);
    output_clean(output, alike);
    output_text(output, ".\n");
}

/* Folds what was written since `from`; gives its number of lines. */
static uint32_t folded_lines(Output *output, uint32_t from) {
    uint32_t lines = 0;
    columns_fold(output, from, lines_width(output));
    for (uint32_t i = from; i < output->bytes.count; i++) lines += output->bytes.items[i] == '\n';
    return lines;
}

/* The first group may use lines that later ones do not need. */
static void write_groups(Output *output, const Report *report, uint32_t left) {
    uint32_t shown = report->plan->shown;
    for (uint32_t i = 0; i < shown; i++) {
        uint32_t later = LEAST_LINES * (shown - i - 1), room = left > later ? left - later : LEAST_LINES;
        uint32_t from = output->bytes.count;
        write_group(output, report, i, room < MOST_LINES ? room : MOST_LINES);
        uint32_t used = folded_lines(output, from);
        left = left > used ? left - used : 0;
    }
}

/* "a training step takes 3 to 34 ms (assumed)". */
static Text turn_of(Text text) {
    for (uint32_t at = 0; at < text.length; at++)
        if (text_starts(text_slice(text, at, text.length), TEXT("), "))) return text_slice(text, 0, at + 1);
    return text;
}

Text lines_verdict(Arena *arena, const Report *report, const PlanLoop *loop, bool paced) {
    Text turn = turn_of(report->analysis->costs->loops[loop->loop].text);
    Text deciding = report->analysis->costs->loops[loop->loop].deciding;
    bool open = deciding.length && !paced && !ledger_of_loop(report->analysis->ledger, loop->loop);
    return text_format(
        arena, "%.*s; the plan gains %s (%s)%s%.*s", (int)turn.length, turn.bytes,
        cost_text_range(arena, loop->planned.gain).bytes, share_text(arena, &loop->planned).bytes,
        open ? "; whether that is worth it depends on " : "", open ? (int)deciding.length : 0, deciding.bytes);
}

static void write_verdict(Output *output, const Report *report, const PlanLoop *loop, bool paced) {
    output_clean(output, lines_loop_name(output->arena, report, loop->loop, lines_width(output)));
    output_text(output, ": ");
    output_clean(output, lines_verdict(output->arena, report, loop, paced));
    output_text(output, "\n");
}

/* How long a training step takes, and what all its groups gain together, for the first loop of the plan. Names
   the number that would decide, unless the loop is clearly host-bound. */
static void write_verdicts(Output *output, const Report *report, bool paced) {
    const Plan *plan = report->plan;
    uint32_t told = 0, from = output->bytes.count;
    HotLoopId last = 0;
    for (uint32_t i = 0; i < plan->shown && told < VERDICT_LINES; i++) {
        const PlanLoop *loop = plan_loop(plan, plan->groups.items[i].loop);
        if (loop->loop == last || (loop->groups < 2 && !is_training(report, loop))) continue;
        uint32_t before = output->bytes.count, lines;
        write_verdict(output, report, loop, paced);
        lines = folded_lines(output, from);
        if (told && lines > VERDICT_LINES) output->bytes.count = before; /* does not fit */
        last = loop->loop, told = lines;
    }
}

/* For the training steps: the first, and how many more. */
static void write_pace(Output *output, const Report *report) {
    uint32_t more = 0;
    bool told = false;
    for (uint32_t i = 0; i < report->plan->loops.count; i++) {
        Text pace = lines_pace(output->arena, report, &report->plan->loops.items[i]);
        if (!told) output_clean(output, pace);
        more += told && pace.length, told |= pace.length > 0;
    }
    if (more) output_format(output, " So it is in %u other training loop%s.", more, more == 1 ? "" : "s");
    if (told) output_text(output, "\n\n");
}

void lines_plan(Output *output, const Report *report) {
    const Plan *plan = report->plan;
    if (!plan) return;
    uint32_t from = output->bytes.count;
    write_pace(output, report);
    uint32_t taken = folded_lines(output, from);
    if (plan->shown) {
        output_style(output, STYLE_BOLD);
        output_text(output, "What to do first");
        output_style(output, STYLE_PLAIN);
        output_format(output, " (%s)\n\n", lines_order().bytes);
    }
    write_groups(output, report, GROUP_LINES - taken);
    if (plan->shown) output_text(output, "\n");
    uint32_t said = output->bytes.count;
    write_verdicts(output, report, taken > 0);
    if (plan->groups.count > plan->shown)
        output_format(output, "%u more group%s: --top=%u\n", plan->groups.count - plan->shown,
                      plan->groups.count - plan->shown == 1 ? "" : "s", plan->groups.count);
    if (output->bytes.count > said) output_text(output, "\n");
    columns_fold(output, from, lines_width(output));
}

/* ---- a finding in a line ---- */

/* A remark on a comment has no price, but a message. */
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
