/* For a comment on a pull request, or a step's summary: what grew, what to do first, all findings in a fold.
   GitHub rejects comments of more than 65,536 characters, so what does not fit is counted instead. */
#include "cost_text.h"
#include "markup.h"
#include "report_lines.h"
#include "suggestions.h"

enum { COMMENT_BYTES = 60000, BROKEN_SHOWN = 10 };

/* Text of the analysed files cannot become markup, a link, a mention or a tag. */
static const char markup[] = "|&<>[]()*_`~\\#@!:{}$\"'";

static void markdown_text(Output *output, Text text) { markup_text(output, text, markup); }
static void markdown_sentence(Output *output, Text text) { markup_sentence(output, text, markup); }

/* An indented block of code, which nothing inside can end. */
static void write_comparison(Output *output, const Report *report, uint32_t limit) {
    Output lines = {.arena = output->arena, .workflow = true};
    report_comparison(&lines, report);
    Text all = output_guarded(&lines);
    for (uint32_t at = 0; at < all.length && output->bytes.count < limit / 3; at++) {
        if (at == 0 || all.bytes[at - 1] == '\n') output_text(output, "    ");
        output_bytes(output, (Text){all.bytes + at, 1});
    }
    if (all.length) output_text(output, "\n");
}

static void write_group(Output *output, const Report *report, uint32_t i) {
    const PlanGroup *group = &report->plan->groups.items[i];
    output_format(output, "%u. **", i + 1);
    markdown_text(output, group->where);
    output_text(output, "**: ");
    markdown_sentence(output, lines_gain(output->arena, report, group));
    if (group->findings.count > 1) output_format(output, "; mends %u findings", group->findings.count);
    output_text(output, "\n");
    if (group->together)
        output_text(output, "   These only gain together, since each wait alone moves to the next:\n");
    for (uint32_t w = 0; w < group->write_count; w++) {
        output_text(output, "   - ");
        markdown_sentence(output, group->writes[w].text);
        output_text(output, "\n");
    }
    Text alike = lines_alike(output->arena, group, ALIKE_COLUMNS);
    if (!alike.length) return;
    output_text(output, "   - ");
    markdown_text(output, alike);
    output_text(output, ".\n");
}

static void write_plan(Output *output, const Report *report, uint32_t limit) {
    const Plan *plan = report->plan;
    for (uint32_t i = 0; plan && i < plan->loops.count; i++) {
        Text pace = lines_pace(output->arena, report, &plan->loops.items[i]);
        markdown_sentence(output, pace);
        if (pace.length) output_text(output, "\n\n");
    }
    if (!plan || !plan->shown) return;
    output_format(output, "**What to do first** (%s)\n\n", lines_order().bytes);
    uint32_t i = 0;
    for (; i < plan->shown && output->bytes.count < limit / 2; i++) write_group(output, report, i);
    if (plan->groups.count > i)
        output_format(output, "\n%u more with `--top=%u`.\n", plan->groups.count - i, plan->groups.count);
    output_text(output, "\n");
}

static void write_row(Output *output, const Report *report, const Finding *finding) {
    Arena *arena = output->arena;
    output_text(output, "| ");
    markdown_text(output, cost_text_short(arena, finding->site, finding->cost));
    output_text(output, " | ");
    markdown_text(output, repository_path(arena, &report->options->repository, finding->file->path));
    if (finding->cell) output_format(output, "&#58;cell %u", finding->cell);
    output_format(output, "&#58;%u | ", finding->start.line);
    markdown_text(output, finding->rule);
    output_text(output, " | ");
    markdown_sentence(output, lines_clause(finding->message));
    output_text(output, " | ");
    markdown_text(output, finding->site->frequency.text);
    output_text(output, " |\n");
}

static void write_findings(Output *output, const Report *report, uint32_t limit) {
    uint32_t start = output->bytes.count;
    if (!report->findings.count) return;
    output_format(output, "<details><summary>All %u findings, most worth mending first</summary>\n\n",
                  report->findings.count);
    output_text(output, "| cost | where | rule | what | how often |\n| --- | --- | --- | --- | --- |\n");
    for (uint32_t i = 0; i < report->findings.count; i++) {
        uint32_t before = output->bytes.count;
        write_row(output, report, &report->findings.items[i]);
        if (output->bytes.count < limit || before == start) continue;
        output->bytes.count = before;
        output_format(output, "\n%u more findings are in the log.\n", report->findings.count - i);
        break;
    }
    output_text(output, "\n</details>\n");
}

static void write_report(Output *output, const Report *report, uint32_t limit) {
    output_text(output, "### syncl: where the CPU waits for the GPU\n\n");
    markdown_text(output, report_summary_line(output->arena, report));
    output_text(output, " ");
    markdown_text(output, report_profile_line(output->arena, report));
    output_text(output, "\n\n");
    for (uint32_t i = 0; i < report->broken.count && i < BROKEN_SHOWN; i++) {
        output_text(output, "- ");
        markdown_text(output, broken_line(output->arena, &report->broken.items[i]));
        output_text(output, "\n");
    }
    if (report->broken.count) output_text(output, "\n");
    write_comparison(output, report, limit);
    write_plan(output, report, limit);
    write_findings(output, report, limit - limit / 4);
    suggestions_write(output, report, limit);
}

void report_markdown(Output *output, const Report *report) { write_report(output, report, COMMENT_BYTES); }

void report_github_summary(Output *output, const Report *report) {
    enum { SUMMARY_BYTES = 1 << 19 }; /* other steps write there too */
    write_report(output, report, SUMMARY_BYTES);
}
