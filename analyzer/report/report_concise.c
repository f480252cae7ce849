#include "cost_text.h"
#include "glyph.h"
#include "observed.h"
#include "report_lines.h"

enum { LINE_COLUMNS = 159 };

/* "train.py:3:5: SYN101 host-read MESSAGE (PRICE) [warning]"; the message is cut where the line is too long. */
static void write_finding(Output *output, const Report *report, uint32_t index) {
    const Finding *finding = &report->findings.items[index];
    Arena *arena = output->arena;
    Text place = report_place(arena, finding), level = report_level(finding->site->level);
    Text price = cost_text_short(arena, finding->site, finding->cost), message = lines_clause(finding->message);
    Text seen = report->observed ? observed_word(report->observed->seen[index]) : (Text){"", 0};
    Text tail = text_format(arena, " (%.*s) [%.*s%s%.*s]", SHOWN(price), SHOWN(level), seen.length ? ", " : "",
                            SHOWN(seen));
    uint32_t taken = glyph_width(place) + finding->code.length + finding->rule.length + glyph_width(tail) + 4;
    lines_head(output, finding, place, finding->code);
    output_text(output, " ");
    output_clean(output, finding->rule);
    output_text(output, " ");
    output_bytes(output, columns_cut(arena, message, taken < LINE_COLUMNS ? LINE_COLUMNS - taken : 0));
    output_clean(output, tail);
    output_text(output, "\n");
}

void report_concise(Output *output, const Report *report) {
    for (uint32_t i = 0; i < report->findings.count; i++) write_finding(output, report, i);
    uint32_t from = output->bytes.count;
    for (uint32_t i = 0; i < report->broken.count; i++) {
        output_bytes(output, broken_line(output->arena, &report->broken.items[i]));
        output_text(output, "\n");
    }
    report_comparison(output, report);
    if (!report->options->quiet) {
        output_clean(output, report_summary_line(output->arena, report));
        output_text(output, "\n");
        output_clean(output, report_profile_line(output->arena, report));
        output_text(output, "\n");
    }
    columns_fold(output, from, LINE_COLUMNS);
}
