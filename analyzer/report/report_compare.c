/* Lines for people: what happened to the loops since another revision. */
#include "cost_text.h"
#include "place.h"
#include "report.h"
#include "snippet.h"
#include <math.h>

enum { CAUSES_SHOWN = 10, EXPRESSION_LIMIT = 60 };
static const double LEAST_US = 0.5; /* smaller changes are not shown */

static void write_signed(Output *output, double us) {
    output_text(output, us < 0 ? "-" : "+");
    output_bytes(output, cost_text_us(output->arena, us < 0 ? -us : us));
}

static void write_cause(Output *output, const Cause *cause) {
    const Finding *finding = cause->finding;
    Span span = finding->site->span;
    Text expression = text_slice(finding->file->bytes, span.start, span.end);
    output_text(output, "    ");
    write_signed(output, cause->growth_us);
    output_text(output, "  ");
    output_bytes(output, report_place(output->arena, finding));
    output_text(output, " ");
    output_clean(output, finding->rule);
    output_text(output, " `");
    output_clean(output, snippet_line(output->arena, expression, EXPRESSION_LIMIT));
    output_text(output, "`: ");
    output_clean(output, cause->text);
    output_text(output, "\n");
}

/* Writes the remainder, so that what is shown adds up to the growth. */
static void write_rest(Output *output, const LoopGrowth *growth) {
    double more_us = 0;
    for (uint32_t i = CAUSES_SHOWN; i < growth->causes.count; i++) more_us += growth->causes.items[i].growth_us;
    if (growth->causes.count > CAUSES_SHOWN) {
        output_text(output, "    ");
        write_signed(output, more_us);
        output_format(output, "  and %u more\n", growth->causes.count - CAUSES_SHOWN);
    }
    if (!growth->causes.count || fabs(growth->rest_us) < LEAST_US) return;
    output_text(output, "    ");
    write_signed(output, growth->rest_us);
    output_text(output, "  in what waits cost together beyond each alone\n");
}

static void write_loop(Output *output, const Report *report, const LoopGrowth *growth) {
    const HotLoop *loop = &report->analysis->findings->loops.items[growth->loop];
    const SourceFile *file = &report->analysis->program->files.items[loop->file];
    write_signed(output, growth->growth_us);
    output_format(output, "/%s (%+.2g %%)%s: ", unit_word(loop->unit).bytes, growth->share * 100,
                  growth->too_much ? ", too much" : "");
    output_clean(output, loop->name);
    output_text(output, " (");
    output_clean(output, file->path);
    output_text(output, ":");
    output_bytes(output, place_text(output->arena, file, loop->head.start));
    output_text(output, growth->is_new ? "), a new loop\n" : ")\n");
    for (uint32_t i = 0; i < growth->causes.count && i < CAUSES_SHOWN; i++)
        write_cause(output, &growth->causes.items[i]);
    write_rest(output, growth);
}

void report_comparison(Output *output, const Report *report) {
    const Comparison *comparison = report->comparison;
    if (!comparison) return;
    output_text(output, "Compared with ");
    output_clean(output, comparison->revision);
    output_format(output, ": %u new, %u as before, %u gone", report->findings.count, report->known,
                  comparison->gone);
    output_text(output, comparison->loops.count ? "; what the waits of a loop cost together:\n"
                                                : "; no loop's waits cost more or less\n");
    for (uint32_t i = 0; i < comparison->loops.count; i++)
        write_loop(output, report, &comparison->loops.items[i]);
}
