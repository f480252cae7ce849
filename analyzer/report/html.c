#include "html.h"
#include "cost_text.h"
#include "markup.h"
#include <math.h>

enum { SCALE = 1000, RECTS_AT_MOST = 1500 };

static const char markup[] = "&<>\"'`=";

void html_text(Output *output, Text text) { markup_text(output, text, markup); }
void html_sentence(Output *output, Text text) { markup_sentence(output, text, markup); }

/* ---- an iteration ---- */

typedef struct Lane {
    Output *output;
    const Report *report;
    double full_us, turn_us;
    TimelineBar open; /* the bar being extended while the next ones are alike and near */
    uint32_t rects;
} Lane;

static const Finding *finding_of(const Report *report, SiteId site) {
    for (uint32_t i = 0; site && i < report->findings.count; i++)
        if (report->findings.items[i].id == site) return &report->findings.items[i];
    return NULL;
}

static void write_title(const Lane *lane, const TimelineBar *bar) {
    static const char *const words[] = {"the host works", "the host waits", "the GPU works"};
    Output *output = lane->output;
    const Finding *finding = bar->kind == BAR_WAIT ? finding_of(lane->report, bar->site) : NULL;
    output_format(output, "<title>%s %s", words[bar->kind],
                  cost_text_us(output->arena, bar->until_us - bar->from_us).bytes);
    if (finding) {
        output_text(output, ": ");
        html_text(output, report_place(output->arena, finding));
    }
    output_text(output, "</title>");
}

static void write_rect(Lane *lane) {
    static const char *const classes[] = {"work", "wait", "gpu"};
    const TimelineBar *bar = &lane->open;
    double from = fmax(bar->from_us, 0) / lane->full_us * SCALE;
    double until = fmin(bar->until_us, lane->turn_us) / lane->full_us * SCALE;
    if (until <= from || lane->rects++ >= RECTS_AT_MOST) return;
    output_format(lane->output, "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" height=\"20\">",
                  classes[bar->kind], from, fmax(until - from, 1));
    write_title(lane, bar);
    output_text(lane->output, "</rect>");
}

static void add_bar(Lane *lane, const TimelineBar *bar) {
    double near_us = lane->full_us / SCALE;
    bool alike = lane->open.until_us > 0 && lane->open.kind == bar->kind &&
                 (bar->kind != BAR_WAIT || lane->open.site == bar->site);
    if (alike && bar->from_us - lane->open.until_us <= near_us) {
        lane->open.until_us = fmax(lane->open.until_us, bar->until_us);
        return;
    }
    write_rect(lane);
    lane->open = *bar;
}

/* Iterations repeat, so a bar beyond either end of this one is drawn in it as a neighbour's. */
static void add_bars(Lane *lane, const TimelineDrawing *drawing, bool gpu, double shift_us, bool wrapped) {
    for (uint32_t i = 0; i < drawing->bars.count; i++) {
        TimelineBar bar = drawing->bars.items[i];
        if ((bar.kind == BAR_GPU) != gpu) continue;
        bar.from_us += shift_us, bar.until_us += shift_us;
        if (wrapped) bar.from_us = fmax(bar.from_us - lane->turn_us, 0), bar.until_us -= lane->turn_us;
        if (bar.until_us > 0 && bar.from_us < lane->turn_us) add_bar(lane, &bar);
    }
}

static double shift_of(const TimelineDrawing *drawing, bool gpu) {
    for (uint32_t i = 0; i < drawing->bars.count; i++)
        if ((drawing->bars.items[i].kind == BAR_GPU) == gpu)
            return -floor(drawing->bars.items[i].from_us / drawing->turn_us) * drawing->turn_us;
    return 0;
}

static void write_lane(Output *output, const Report *report, const TimelineDrawing *drawing, double full_us,
                       bool gpu) {
    Lane lane = {.output = output, .report = report, .full_us = full_us, .turn_us = drawing->turn_us};
    output_format(output,
                  "<div class=\"lane\"><span>%s</span><svg viewBox=\"0 0 %d 20\" preserveAspectRatio=\"none\" "
                  "aria-hidden=\"true\"><rect class=\"turn\" width=\"%.2f\" height=\"20\"/>",
                  gpu ? "GPU" : "host", SCALE, fmin(drawing->turn_us / full_us, 1) * SCALE);
    double shift_us = shift_of(drawing, gpu);
    add_bars(&lane, drawing, gpu, shift_us, true);
    add_bars(&lane, drawing, gpu, shift_us, false);
    write_rect(&lane);
    output_text(output, "</svg></div>\n");
}

void html_turn(Output *output, const Report *report, const TimelineDrawing *drawing,
               const TimelineDrawing *before, const char *label) {
    if (!drawing->bars.count || drawing->turn_us <= 0) return;
    double less_us = before->turn_us - drawing->turn_us;
    output_format(output, "<p class=\"when\">%s: %.3g ms", label, drawing->turn_us / 1e3);
    if (less_us > 0) output_format(output, ", %s less", cost_text_us(output->arena, less_us).bytes);
    output_text(output, "</p>\n");
    write_lane(output, report, drawing, fmax(before->turn_us, drawing->turn_us), false);
    write_lane(output, report, drawing, fmax(before->turn_us, drawing->turn_us), true);
}
