/* A page in a single file: the plan, an iteration of each loop before and after it, all findings with filters.
   No network, no framework; without its script everything is shown, unfiltered. */
#include "cost_text.h"
#include "html.h"
#include "observed.h"
#include "place.h"
#include "report_lines.h"
#include "snippet.h"
#include "texts.h"

enum { LINES_AROUND = 2, LINES_AT_MOST = 8, LINE_LIMIT = 180 };

static void write_head(Output *output) {
    output_text(
        output,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
        "<title>syncl: where the CPU waits for the GPU</title>\n<style>\n");
    output_text(output, page_style);
    output_text(output,
                "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#findings\">To the findings</a>\n");
}

static void write_header(Output *output, const Report *report) {
    output_text(output, "<header>\n<h1>Where the CPU waits for the GPU</h1>\n<p>");
    html_sentence(output, report_summary_line(output->arena, report));
    output_text(output, "</p>\n<p class=\"small\">");
    html_sentence(output, report_profile_line(output->arena, report));
    output_text(output, "</p>\n");
    for (uint32_t i = 0; i < report->broken.count; i++) {
        output_text(output, "<p>Read in part: ");
        html_text(output, broken_line(output->arena, &report->broken.items[i]));
        output_text(output, "</p>\n");
    }
    output_text(output, "</header>\n<main>\n");
    if (!report->comparison) return;
    Output lines = {.arena = output->arena};
    report_comparison(&lines, report);
    output_text(output, "<section><h2>What grew</h2>\n<pre>");
    html_text(output, (Text){lines.bytes.items, lines.bytes.count});
    output_text(output, "</pre></section>\n");
}

/* ---- the plan ---- */

static void write_group(Output *output, const Report *report, const PlanGroup *group) {
    output_text(output, "<li><h3>");
    html_text(output, group->where);
    output_text(output, "</h3>\n<p class=\"gain\">");
    html_sentence(output, lines_gain(output->arena, report, group));
    output_text(output, "</p>\n");
    if (group->together)
        output_text(output, "<p>These only gain together, since each wait alone moves to the next:</p>\n");
    for (uint32_t w = 0; w < group->write_count; w++) {
        output_text(output, "<p class=\"write\">");
        html_sentence(output, group->writes[w].text);
        output_text(output, "</p>\n");
    }
    Text alike = lines_alike(output->arena, group, ALIKE_COLUMNS);
    if (alike.length) {
        output_text(output, "<p>");
        html_text(output, alike);
        output_text(output, ".</p>\n");
    }
    output_format(output, "<p class=\"small\">Mends %u: ", group->findings.count);
    for (uint32_t i = 0; i < group->findings.count; i++) {
        const Finding *finding = group->findings.items[i];
        output_format(output, "%s<a href=\"#f%u\">", i ? ", " : "",
                      (unsigned)(finding - report->findings.items) + 1);
        html_text(output, report_place(output->arena, finding));
        output_text(output, "</a>");
    }
    output_text(output, "</p></li>\n");
}

static void write_plan(Output *output, const Report *report) {
    const Plan *plan = report->plan;
    output_text(output, "<section id=\"plan\">\n<h2>What to do first</h2>\n");
    for (uint32_t i = 0; i < plan->loops.count; i++) {
        Text pace = lines_pace(output->arena, report, &plan->loops.items[i]);
        if (!pace.length) continue;
        output_text(output, "<p class=\"pace\">");
        html_sentence(output, pace);
        output_text(output, "</p>\n");
    }
    if (plan->shown)
        output_format(output, "<p class=\"small\">In this order: %s.</p>\n<ol>\n", lines_order().bytes);
    else
        output_text(output, "<p>Nothing here gains a hundredth of a step: leave it.</p>\n");
    for (uint32_t i = 0; i < plan->shown; i++) write_group(output, report, &plan->groups.items[i]);
    output_text(output, plan->shown ? "</ol>\n" : "");
    if (plan->groups.count > plan->shown)
        output_format(output, "<p class=\"small\">%u more group%s: <code>--top=%u</code>.</p>\n",
                      plan->groups.count - plan->shown, plan->groups.count - plan->shown == 1 ? "" : "s",
                      plan->groups.count);
    output_text(output, "</section>\n");
}

/* ---- loops ---- */

static void write_loop(Output *output, const Report *report, const PlanLoop *loop) {
    output_text(output, "<figure>\n<figcaption><h3>");
    html_sentence(output, lines_loop_name(output->arena, report, loop->loop, 0));
    output_text(output, "</h3>\n<p>");
    bool paced = lines_pace(output->arena, report, loop).length > 0;
    html_sentence(output, lines_verdict(output->arena, report, loop, paced));
    output_text(output, "</p></figcaption>\n");
    html_turn(output, report, &loop->planned.before, &loop->planned.before, "today");
    html_turn(output, report, &loop->planned.after, &loop->planned.before, "after the plan");
    output_text(output, "</figure>\n");
}

static void write_loops(Output *output, const Report *report) {
    const Plan *plan = report->plan;
    if (!plan->shown) return;
    output_text(output,
                "<section id=\"loops\">\n<h2>One turn, before and after</h2>\n<p class=\"key\"><span "
                "class=\"work\"></span> host "
                "works <span class=\"wait\"></span> host waits <span class=\"gpu\"></span> GPU works</p>\n");
    for (uint32_t i = 0; i < plan->loops.count; i++)
        if (plan->loops.items[i].groups) write_loop(output, report, &plan->loops.items[i]);
    output_text(output, "</section>\n");
}

/* ---- findings ---- */

static void write_choice(Output *output, Text value) {
    output_text(output, "<option>");
    html_text(output, value);
    output_text(output, "</option>");
}

static void write_rules(Output *output, const Report *report) {
    bool *told = arena_new(output->arena, bool, report->analysis->rulebook->hazard_count + 1u);
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        if (!told[finding->site->hazard]) write_choice(output, finding->rule);
        told[finding->site->hazard] = true;
    }
}

static Text loop_of(Arena *arena, const Report *report, const Finding *finding) {
    bool turn = finding->site->loop && finding->site->frequency.unit != UNIT_EPOCH;
    return turn ? lines_loop_name(arena, report, finding->site->loop, 0) : TEXT("not in a loop's turn");
}

static void write_loop_choices(Output *output, const Report *report) {
    bool *told = arena_new(output->arena, bool, report->analysis->findings->loops.count + 1u);
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        HotLoopId loop = finding->site->frequency.unit == UNIT_EPOCH ? 0 : finding->site->loop;
        if (!told[loop]) write_choice(output, loop_of(output->arena, report, finding));
        told[loop] = true;
    }
}

static void write_filters(Output *output, const Report *report) {
    output_text(
        output,
        "<form class=\"filters\" hidden>\n<label>Loop <select name=\"loop\"><option value=\"\">all</option>");
    write_loop_choices(output, report);
    output_text(output, "</select></label>\n<label>Rule <select name=\"rule\"><option value=\"\">all</option>");
    write_rules(output, report);
    output_text(output,
                "</select></label>\n<label>At least <select name=\"sure\"><option value=\"0\">possible</option>"
                "<option value=\"1\">likely</option><option value=\"2\">certain</option></select></label>\n"
                "<label>Words <input name=\"words\" type=\"search\" placeholder=\"/ to type\"></label>\n"
                "<button type=\"button\" data-open=\"1\">Unfold</button><button type=\"button\" "
                "data-open=\"\">Fold</button>\n"
                "<output aria-live=\"polite\"></output>\n</form>\n");
}

static uint32_t line_end(Text bytes, uint32_t at) {
    while (at < bytes.length && bytes.bytes[at] != '\n') at++;
    return at;
}

static void write_source(Output *output, const Finding *finding) {
    const SourceFile *file = finding->file;
    uint32_t line = model_line(file->model, finding->site->span.start), last = file->model->lines.count;
    uint32_t first = line > LINES_AROUND ? line - LINES_AROUND : 1;
    uint32_t ends = model_line(file->model, finding->site->span.end);
    output_text(output, "<pre>");
    for (uint32_t at = first; at <= last && at <= ends + LINES_AROUND && at < first + LINES_AT_MOST; at++) {
        uint32_t start = file->model->lines.items[at - 1], end = line_end(file->bytes, start);
        if (end > start + LINE_LIMIT) end = start + LINE_LIMIT;
        bool marked = at >= line && at <= ends;
        output_format(output, "%s<b>%4u</b> ", marked ? "<mark>" : "", place_line(file, start));
        html_text(output, text_slice(file->bytes, start, end));
        output_text(output, marked ? "</mark>\n" : "\n");
    }
    output_text(output, "</pre>\n");
}

static void write_reasons(Output *output, const Report *report, const Finding *finding) {
    const Site *site = finding->site;
    if (!site->reason_count) return;
    output_text(output, "<ol class=\"why\">\n");
    for (uint32_t i = 0; i < site->reason_count; i++) {
        const Reason *reason = &site->reasons[i];
        const SourceFile *file = &report->analysis->program->files.items[reason->file];
        output_text(output, "<li>");
        html_sentence(output, reason->text);
        output_text(output, " <span class=\"small\">");
        html_text(output, file->path);
        output_text(output, ":");
        html_text(output, place_text(output->arena, file, reason->span.start));
        output_text(output, "</span></li>\n");
    }
    output_text(output, "</ol>\n");
}

static void write_said(Output *output, const char *label, Text text) {
    if (!text.length) return;
    output_format(output, "<p><b>%s</b> ", label);
    html_sentence(output, text);
    output_text(output, "</p>\n");
}

static void write_finding(Output *output, const Report *report, uint32_t i) {
    const Finding *finding = &report->findings.items[i];
    Arena *arena = output->arena;
    Text sure = confidence_word(finding->site->confidence);
    output_format(output, "<details id=\"f%u\" data-sure=\"%d\" data-rule=\"", i + 1,
                  (int)finding->site->confidence - (int)CONFIDENCE_POSSIBLE);
    html_text(output, finding->rule);
    output_text(output, "\" data-loop=\"");
    html_text(output, loop_of(arena, report, finding));
    output_text(output, "\">\n<summary><span class=\"place\">");
    html_text(output, report_place(arena, finding));
    output_text(output, "</span> <span class=\"rule\">");
    html_text(output, finding->rule);
    output_text(output, "</span> <code>");
    html_text(output, snippet_line(arena, source_text(finding->file, finding->site->span), 60));
    output_text(output, "</code> <span class=\"price\">");
    html_text(output, cost_text_short(arena, finding->site, finding->cost));
    output_text(output, "</span></summary>\n<div>\n");
    write_source(output, finding);
    write_said(output, "What", finding->message);
    write_said(output, "Write", finding->suggestion);
    write_said(output, "Cost", finding->cost->text);
    write_said(output, "Runs", finding->site->frequency.text);
    write_said(output, "Sure", sure);
    if (report->observed) write_said(output, "Seen", observed_text(arena, report->observed, i));
    write_reasons(output, report, finding);
    output_text(output, "</div>\n</details>\n");
}

void report_html(Output *output, const Report *report) {
    write_head(output);
    write_header(output, report);
    write_plan(output, report);
    write_loops(output, report);
    output_text(output, "<section id=\"findings\">\n<h2>All findings</h2>\n");
    write_filters(output, report);
    for (uint32_t i = 0; i < report->findings.count; i++) write_finding(output, report, i);
    output_text(output, "</section>\n</main>\n<script>\n");
    output_text(output, page_script);
    output_text(output, "</script>\n</body>\n</html>\n");
}
