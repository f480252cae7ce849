#include "report.h"
#include "cost_text.h"
#include "glyph.h"
#include "observed.h"
#include "place.h"
#include "report_trace.h"
#include "snippet.h"
#include <ctype.h>

enum { LABEL_WIDTH = 11, REPORT_WIDTH = 110, REASONS_SHOWN = 6, SKIPPED_SHOWN = 20, NOTE_LIMIT = 60 };

/* What every line below a finding's head needs. */
typedef struct Block {
    Output *output;
    const Report *report;
    const Finding *finding;
    Text gutter; /* "   | " */
} Block;

/* ---- labelled lines ---- */

static void write_gutter(const Block *block) {
    output_style(block->output, STYLE_DIM);
    output_bytes(block->output, block->gutter);
    output_style(block->output, STYLE_PLAIN);
}

/* `label  text`, wrapped under the text; an empty label goes on with the one above. */
static void write_labelled(const Block *block, const char *label, Text text) {
    if (text.length == 0) return;
    write_gutter(block);
    output_style(block->output, STYLE_DIM);
    output_text(block->output, label);
    output_style(block->output, STYLE_PLAIN);
    output_repeat(block->output, ' ', LABEL_WIDTH - (uint32_t)strlen(label));
    output_wrapped(block->output, text, block->gutter, block->gutter.length + LABEL_WIDTH, REPORT_WIDTH);
    output_text(block->output, "\n");
}

/* Where a reason stands: "line 12" in the finding's own file. */
static Text reason_text(const Block *block, const Reason *reason) {
    Arena *arena = block->output->arena;
    const SourceFile *file = &block->report->analysis->program->files.items[reason->file];
    Place place = place_shown(file, reason->span.start);
    const Finding *finding = block->finding;
    bool here = file == finding->file;
    if (here && place.cell == finding->cell && place.line == finding->start.line) return reason->text;
    Text line = place_text(arena, file, reason->span.start);
    if (here)
        return text_format(arena, "%.*s (%s%.*s)", (int)reason->text.length, reason->text.bytes,
                           place.cell ? "" : "line ", (int)line.length, line.bytes);
    return text_format(arena, "%.*s (%.*s:%.*s)", (int)reason->text.length, reason->text.bytes,
                       (int)file->path.length, file->path.bytes, (int)line.length, line.bytes);
}

static void write_reasons(const Block *block, const char *label, bool hot) {
    const Site *site = block->finding->site;
    uint32_t shown = 0, left_out = 0;
    for (uint32_t i = 0; i < site->reason_count; i++) {
        const Reason *reason = &site->reasons[i];
        if ((reason->role == ROLE_HOT) != hot) continue;
        if (shown < REASONS_SHOWN)
            write_labelled(block, shown++ ? "" : label, reason_text(block, reason));
        else
            left_out++;
    }
    if (left_out)
        write_labelled(block, "",
                       text_format(block->output->arena, "and %u more (in --output-format json)", left_out));
}

static void write_often(const Block *block) {
    const Site *site = block->finding->site;
    Text text = site->frequency.text;
    if (site->also_count)
        text = text_format(block->output->arena, "%.*s; %u other loop%s reach%s it too", (int)text.length,
                           text.bytes, site->also_count, site->also_count == 1 ? "" : "s",
                           site->also_count == 1 ? "es" : "");
    write_labelled(block, "how often", text);
    write_reasons(block, text.length ? "" : "how often", true);
}

enum { DOUBTS_TOLD = 3 }; /* of a likely finding */

/* Why it is no surer: what speaks against it, or of a likely one else what it rests on. */
static void write_doubts(const Block *block, bool likely) {
    const Site *site = block->finding->site;
    Text text = likely ? TEXT("likely, not certain") : TEXT("possible only");
    const char *mark = ": ";
    unsigned told = 0;
    for (int veils = 0; veils <= likely && !told; veils++)
        for (unsigned bit = 0; bit < EVIDENCES && !(likely && told == DOUBTS_TOLD); bit++) {
            bool says = veils ? evidence_veils(evidence(bit)) : evidence_doubts(bit);
            if (!(site->evidence >> bit & 1) || !says) continue;
            text = text_format(block->output->arena, "%.*s%s%s", (int)text.length, text.bytes, mark,
                               evidence_says(bit));
            mark = "; ";
            told++;
        }
    write_labelled(block, "sure", text);
}

static void write_need(const Block *block) {
    const Site *site = block->finding->site;
    const char *need = site->need == NEED_AVOIDABLE
                           ? "avoidable: the host could do without the value, or take it later"
                       : site->need == NEED_NEEDED ? "the host needs the value here"
                                                   : NULL;
    if (need) write_labelled(block, "need", text_of(need));
    if (site->confidence != CONFIDENCE_CERTAIN) write_doubts(block, site->confidence == CONFIDENCE_LIKELY);
}

static void write_observed(const Block *block) {
    const Report *report = block->report;
    if (!report->observed) return;
    uint32_t index = (uint32_t)(block->finding - report->findings.items);
    write_labelled(block, "observed", observed_text(block->output->arena, report->observed, index));
}

/* ---- findings ---- */

static void write_place(Output *output, const Finding *finding) {
    output_style(output, STYLE_BOLD);
    output_link(output, &finding->file->path);
    output_bytes(output, report_place(output->arena, finding));
    output_link(output, NULL);
    output_style(output, STYLE_PLAIN);
    output_text(output, ": ");
}

static void write_rule(Output *output, const Finding *finding) {
    output_style(output, finding->site->level >= LEVEL_WARNING ? STYLE_WARNING : STYLE_NOTE);
    output_bytes(output, report_level(finding->site->level));
    output_text(output, "[");
    output_clean(output, finding->rule);
    output_text(output, " ");
    output_clean(output, finding->code);
    output_text(output, "]");
    output_style(output, STYLE_PLAIN);
    output_text(output, " ");
}

static uint32_t digits_of(uint32_t number) {
    uint32_t digits = 1;
    while (number >= 10) {
        number /= 10;
        digits++;
    }
    return digits;
}

/* An advice is told once in full and not again while the rule's stays the same: forty findings must stay readable. */
static void write_suggestion(const Block *block, Text *told) {
    const Finding *finding = block->finding;
    Text text = finding->suggestion;
    if (text_equal(told[finding->site->hazard], text))
        text = text_format(block->output->arena, "as above; more: syncl --explain %.*s",
                           (int)finding->rule.length, finding->rule.bytes);
    else
        told[finding->site->hazard] = text;
    write_labelled(block, "instead", text);
}

static void write_warning(Output *output, const Report *report, const Finding *finding, Text *told) {
    write_place(output, finding);
    write_rule(output, finding);
    output_clean(output, finding->message);
    output_text(output, "\n");
    uint32_t width = digits_of(finding->end.line);
    snippet_lines(output, finding->file, finding->site->span, width, STYLE_WARNING);
    Text gutter = text_format(output->arena, "%*s | ", (int)width, "");
    Block block = {output, report, finding, gutter};
    write_reasons(&block, "why", false);
    write_often(&block);
    write_labelled(&block, "cost", finding->cost->text);
    if (finding->cost->remedy_text.length) write_labelled(&block, "gain", finding->cost->remedy_text);
    write_suggestion(&block, told);
    write_need(&block);
    write_observed(&block);
    output_text(output, "\n");
}

static void write_note(Output *output, const Report *report, uint32_t index) {
    const Finding *finding = &report->findings.items[index];
    Span span = finding->site->span;
    Text source = text_slice(finding->file->bytes, span.start, span.end);
    write_place(output, finding);
    write_rule(output, finding);
    output_text(output, "`");
    output_clean(output, snippet_line(output->arena, source, NOTE_LIMIT));
    output_text(output, "` ");
    output_clean(output, finding->site->frequency.text);
    output_text(output, ": ");
    output_clean(output, finding->cost->text);
    if (report->observed) {
        output_text(output, "; ");
        output_clean(output, observed_text(output->arena, report->observed, index));
    }
    output_text(output, "\n");
}

static void write_notes(Output *output, const Report *report) {
    if (!report->notes) return;
    for (uint32_t i = 0; i < report->findings.count; i++)
        if (report->findings.items[i].site->level == LEVEL_NOTE) write_note(output, report, i);
    output_text(output, "\n");
}

/* ---- the ledger ---- */

/* The shown findings of a loop, and what their prices add up to one by one. */
static uint32_t loop_findings(const Report *report, HotLoopId loop, CostRange *sum) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        if (finding->site->loop != loop || finding->site->frequency.unit == UNIT_EPOCH) continue;
        sum->low_us += finding->cost->per_turn.low_us;
        sum->high_us += finding->cost->per_turn.high_us;
        count++;
    }
    return count;
}

/* Mostly waits share what they cost. But where each one alone makes the host stand, one that stays hides what the others
   cost, and all together bring more than their sum. */
static void write_sum(Output *output, const LoopCost *cost, uint32_t count, CostRange sum) {
    bool hidden = cost->all.low_us > 1.25 * sum.high_us;
    Text text = text_format(output->arena, "the %u prices above add up to %s one by one; %s", count,
                            cost_text_range(output->arena, sum).bytes,
                            hidden ? "together they cost more: where one stays, the host stands there instead"
                                   : "waits share what they cost");
    output_text(output, "\n  ");
    output_wrapped(output, text, TEXT("  "), 2, REPORT_WIDTH);
}

static void write_loop(Output *output, const Report *report, HotLoopId id) {
    const HotLoop *loop = &report->analysis->findings->loops.items[id];
    const SourceFile *file = &report->analysis->program->files.items[loop->file];
    CostRange sum = {0};
    uint32_t count = loop_findings(report, id, &sum);
    if (!count) return;
    Arena *arena = output->arena;
    Text name = glyph_clean(arena, loop->name);
    output_style(output, STYLE_BOLD);
    if (name.length) output_format(output, "%c", toupper((unsigned char)name.bytes[0]));
    output_bytes(output, text_slice(name, name.length > 0, name.length));
    output_style(output, STYLE_PLAIN);
    output_text(output, " (");
    output_clean(output, file->path);
    output_text(output, ":");
    output_bytes(output, place_text(arena, file, loop->head.start));
    output_text(output, ")\n  ");
    output_wrapped(output, report->analysis->costs->loops[id].text, TEXT("  "), 2, REPORT_WIDTH);
    if (count > 1 && !report->analysis->costs->loops[id].uncalibrated)
        write_sum(output, &report->analysis->costs->loops[id], count, sum);
    output_text(output, "\n\n");
}

/* ---- the end ---- */

static void write_skipped(Output *output, const Report *report) {
    uint32_t count = report->analysis->program->skipped.count;
    for (uint32_t i = 0; i < count && i < SKIPPED_SHOWN; i++) {
        const Skipped *skipped = &report->analysis->program->skipped.items[i];
        output_text(output, "skipped ");
        output_clean(output, skipped->path);
        output_text(output, ": ");
        output_clean(output, skipped->reason);
        output_text(output, "\n");
    }
    if (count > SKIPPED_SHOWN)
        output_format(output, "skipped %u more (all in --output-format json)\n", count - SKIPPED_SHOWN);
}

static void write_broken(Output *output, const Report *report) {
    for (uint32_t i = 0; i < report->broken.count && i < SKIPPED_SHOWN; i++) {
        output_text(output, "read in part ");
        output_bytes(output, broken_line(output->arena, &report->broken.items[i]));
        output_text(output, "\n");
    }
    if (report->broken.count > SKIPPED_SHOWN)
        output_format(output, "read in part %u more (all in --output-format json)\n",
                      report->broken.count - SKIPPED_SHOWN);
}

static void write_wait(Output *output, const ObservedWait *wait) {
    output_text(output, "  ");
    output_clean(output, wait->path);
    output_format(output, ":%u, %u time%s", wait->line, wait->count, wait->count == 1 ? "" : "s");
    if (wait->in_backward)
        output_text(output, ": the backward pass, in which a finding above waits");
    else if (wait->hidden)
        output_text(output, ": a finding that is not shown");
    output_text(output, "\n");
}

static void write_unfound(Output *output, const Report *report) {
    const Observed *observed = report->observed;
    if (observed)
        output_format(output, "Of %u warning%s in the logs %u %s of these files.\n\n", observed->warnings,
                      observed->warnings == 1 ? "" : "s", observed->here, observed->here == 1 ? "is" : "are");
    if (!observed || !observed->waits.count) return;
    output_format(output, "Observed waits without a finding here (what runs once is none), of %u warnings:\n",
                  observed->warnings);
    for (uint32_t i = 0; i < observed->waits.count && i < SKIPPED_SHOWN; i++)
        write_wait(output, &observed->waits.items[i]);
    if (observed->waits.count > SKIPPED_SHOWN)
        output_format(output, "  and %u lines more (all in --output-format json)\n",
                      observed->waits.count - SKIPPED_SHOWN);
    output_text(output, "\n");
}

static void write_end(Output *output, const Report *report) {
    for (HotLoopId id = 1; id < report->analysis->findings->loops.count; id++) write_loop(output, report, id);
    if (report->analysis->ledger) report_trace(output, report);
    write_unfound(output, report);
    write_skipped(output, report);
    write_broken(output, report);
    report_comparison(output, report);
    output_clean(output, report_profile_line(output->arena, report));
    output_text(output, "\n");
    output_style(output, STYLE_BOLD);
    output_clean(output, report_summary_line(output->arena, report));
    output_style(output, STYLE_PLAIN);
    output_text(output, "\n");
}

void report_full(Output *output, const Report *report) {
    Text *told = arena_new(output->arena, Text, report->analysis->rulebook->hazard_count + 1u);
    for (uint32_t i = 0; i < report->findings.count; i++)
        if (report->findings.items[i].site->level >= LEVEL_WARNING)
            write_warning(output, report, &report->findings.items[i], told);
    write_notes(output, report);
    if (report->options->quiet)
        write_broken(output, report);
    else
        write_end(output, report);
}
