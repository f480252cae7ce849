#include "observed.h"

static void write_finding(Output *output, const Report *report, uint32_t index) {
    const Finding *finding = &report->findings.items[index];
    bool warning = finding->site->level >= LEVEL_WARNING;
    output_style(output, STYLE_BOLD);
    output_link(output, &finding->file->path);
    output_bytes(output, report_place(output->arena, finding));
    output_link(output, NULL);
    output_style(output, STYLE_PLAIN);
    output_text(output, ": ");
    output_style(output, warning ? STYLE_WARNING : STYLE_NOTE);
    output_clean(output, finding->code);
    output_style(output, STYLE_PLAIN);
    output_text(output, " ");
    output_clean(output, finding->rule);
    output_text(output, " ");
    output_clean(output, finding->message);
    output_text(output, " (");
    output_clean(output, finding->cost->text);
    output_text(output, ") [");
    output_bytes(output, report_level(finding->site->level));
    if (report->observed) {
        output_text(output, ", ");
        output_bytes(output, observed_word(report->observed->seen[index]));
    }
    output_text(output, "]\n");
}

void report_concise(Output *output, const Report *report) {
    for (uint32_t i = 0; i < report->findings.count; i++) write_finding(output, report, i);
    for (uint32_t i = 0; i < report->broken.count; i++) {
        output_bytes(output, broken_line(output->arena, &report->broken.items[i]));
        output_text(output, "\n");
    }
    report_comparison(output, report);
    if (report->options->quiet) return;
    output_clean(output, report_summary_line(output->arena, report));
    output_text(output, " ");
    output_clean(output, report_profile_line(output->arena, report));
    output_text(output, "\n");
}
