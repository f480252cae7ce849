/* What text formats print below the findings: loops, a trace's ledger, what is not shown, the summary. */
#include "observed.h"
#include "report_lines.h"
#include "report_trace.h"

enum { SKIPPED_SHOWN = 20 };

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

void lines_broken(Output *output, const Report *report) {
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

/* The costs of the loops that have a finding shown. */
static void write_loops(Output *output, const Report *report) {
    const Findings *findings = report->analysis->findings;
    bool *shown = arena_new(output->arena, bool, findings->loops.count + 1u);
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Site *site = report->findings.items[i].site;
        shown[site->loop] |= site->frequency.unit != UNIT_EPOCH;
    }
    for (HotLoopId id = 1; id < findings->loops.count; id++) {
        if (!shown[id]) continue;
        output_style(output, STYLE_BOLD);
        output_bytes(output, lines_loop_name(output->arena, report, id, 0));
        output_style(output, STYLE_PLAIN);
        output_text(output, "\n  ");
        output_clean(output, report->analysis->costs->loops[id].text);
        output_text(output, "\n  ");
        output_clean(output, report->analysis->costs->loops[id].verdict_text);
        output_text(output, "\n\n");
    }
}

void lines_end(Output *output, const Report *report, bool loops) {
    uint32_t from = output->bytes.count;
    if (loops) write_loops(output, report);
    if (report->analysis->ledger) report_trace(output, report);
    write_unfound(output, report);
    write_skipped(output, report);
    lines_broken(output, report);
    report_comparison(output, report);
    output_clean(output, report_profile_line(output->arena, report));
    output_text(output, "\n");
    output_style(output, STYLE_BOLD);
    output_clean(output, report_summary_line(output->arena, report));
    output_style(output, STYLE_PLAIN);
    output_text(output, "\n");
    columns_fold(output, from, lines_width(output));
}
