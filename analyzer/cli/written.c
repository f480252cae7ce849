/* Writes the report in the requested form, the reports beside it, and decides the exit status. */
#include "written.h"
#include "add_allow.h"
#include "baseline.h"
#include "compare.h"
#include "cost_text.h"
#include "emit_test.h"
#include "observed.h"
#include "place.h"
#include "price_list.h"
#include "report_trace.h"
#include <unistd.h>

enum { GROWTH_US = 100 }; /* default of --max-growth */

static ReportFormat *writer_of(int format) {
    static ReportFormat *const formats[] = {
        [FORMAT_PLAN] = report_plan,         [FORMAT_FULL] = report_full,
        [FORMAT_CONCISE] = report_concise,   [FORMAT_JSON] = report_json,
        [FORMAT_GITHUB] = report_github,     [FORMAT_SARIF] = report_sarif,
        [FORMAT_GITLAB] = report_gitlab,     [FORMAT_JUNIT] = report_junit,
        [FORMAT_RDJSON] = report_rdjson,     [FORMAT_JSON_LINES] = report_json_lines,
        [FORMAT_MARKDOWN] = report_markdown, [FORMAT_HTML] = report_html,
    };
    assert((size_t)format < sizeof formats / sizeof *formats && formats[format]);
    return formats[format];
}

static int format_of(const Options *options) {
    return options->verbose && options->format == FORMAT_PLAN ? FORMAT_FULL : options->format;
}

static void write_report(Run *run, const Report *report) {
    ReportFormat *counts = run->options.format == FORMAT_JSON ? report_statistics_json : report_statistics;
    (run->options.statistics ? counts : writer_of(format_of(&run->options)))(&run->output, report);
}

/* Lists the loops over --fail-over, on stderr whatever the report's form is. */
static void say_totals(Run *run, const Report *report) {
    const Findings *findings = report->analysis->findings;
    for (HotLoopId id = 1; report->totals && id < findings->loops.count; id++) {
        const HotLoop *loop = &findings->loops.items[id];
        const SourceFile *file = &report->analysis->program->files.items[loop->file];
        Text place = place_text(run->arena, file, loop->head.start);
        Text total = cost_text_us(run->arena, report_middle(report->totals[id].all));
        Text limit = cost_text_us(run->arena, run->options.fail_over_us);
        if (!report_over(report, id)) continue;
        Text words = text_format(
            run->arena, "%.*s:%.*s: the waits of the %.*s cost about %.*s together, more than --fail-over %.*s",
            SHOWN(file->path), SHOWN(place), SHOWN(loop->name), SHOWN(total), SHOWN(limit));
        run_note(run, words);
    }
}

/* The exit status. A check of nothing must not look like a passed one. */
static int judge(Run *run, const Report *report) {
    uint32_t count = report->analysis->program->skipped.count;
    Text accelerator = report->analysis->findings->accelerator;
    if (accelerator.length && run->options.fail_over_us > 0)
        return run_say(run->arena,
                       text_format(run->arena, "--fail-over judges prices, and nothing is calibrated for %.*s",
                                   SHOWN(accelerator)),
                       EXIT_CANNOT);
    say_totals(run, report);
    bool grown = report->comparison && report->comparison->fails;
    if (report->files > 0) return (report->fails || grown) && !run->options.exit_zero ? EXIT_FOUND : EXIT_QUIET;
    if (count == 0 && run->options.force_exclude)
        return EXIT_QUIET; /* all files of a hook's call may be excluded */
    if (count == 0) return run_say(run->arena, TEXT("nothing was analysed: no Python files"), EXIT_CANNOT);
    const Skipped *first = &report->analysis->program->skipped.items[0];
    const char *more = count > 1 ? text_format(run->arena, " (and %u more)", count - 1).bytes : "";
    Text words = text_format(run->arena, "nothing was analysed: %.*s: %.*s%s", SHOWN(first->path),
                             SHOWN(first->reason), more);
    return run_say(run->arena, words, EXIT_CANNOT);
}

static bool write_also(Run *run, const Report *report, const Destination *also) {
    Output output = {.arena = run->arena, .workflow = run->output.workflow};
    writer_of(also->format)(&output, report);
    return run_hand_out(run, (Handed){HAND_FILE, also->path, output_guarded(&output)});
}

/* Writes the reports of --also and the like. */
static bool write_beside(Run *run, const Report *report) {
    const char *sarif = run->options.sarif;
    Output code_scanning = {.arena = run->arena}, step = {.arena = run->arena};
    if (sarif) {
        report_sarif(&code_scanning, report);
        if (!run_hand_out(run, (Handed){HAND_FILE, sarif, output_guarded(&code_scanning)})) return false;
    }
    for (uint32_t i = 0; i < run->destinations.count; i++)
        if (run->destinations.items[i].also && !write_also(run, report, &run->destinations.items[i]))
            return false;
    if (run->options.format != FORMAT_GITHUB || !run_has_summary()) return true;
    report_github_summary(&step, report);
    return run_hand_out(run, (Handed){HAND_SUMMARY, NULL, output_guarded(&step)});
}

static bool write_prices(Run *run, const Analysis *analysis) {
    Output prices = {.arena = run->arena};
    const Ledger *ledger = analysis->ledger;
    if (!ledger || ledger->distrust.length || !ledger->loop) {
        run->error = TEXT("--write-prices: there is no --trace that prices a loop of these sources");
        return false;
    }
    price_list_write(&prices, analysis->program, analysis->rulebook, analysis->findings, ledger);
    return run_hand_out(run, (Handed){HAND_FILE, run->options.write_prices, output_guarded(&prices)});
}

static int write_test(Run *run, const Report *report) {
    if (!emit_test(&run->output, report, run->options.emit_test, &run->error))
        return run_say(run->arena, run->error, EXIT_CANNOT);
    return run_deliver(run, EXIT_QUIET);
}

static int write_baseline(Run *run, const Report *report) {
    Output baseline = {.arena = run->arena};
    const char *path = run->options.write_baseline;
    baseline_write(&baseline, report);
    if (!output_to_file(output_guarded(&baseline), path, &run->error, run->arena))
        return run_say(run->arena, run->error, EXIT_CANNOT);
    output_format(&run->output, "%u finding%s written to ", report->findings.count,
                  report->findings.count == 1 ? "" : "s");
    output_clean(&run->output, text_of(path));
    output_text(&run->output, ".\n");
    return run_deliver(run, EXIT_QUIET);
}

static int allow_all(Run *run, const Report *report) {
    Added added = {0};
    if (!add_allow(run->arena, report, run->options.allow_reason, &added, &run->error))
        return run_say(run->arena, run->error, EXIT_CANNOT);
    output_format(&run->output, "%u comment%s added in %u file%s", added.comments,
                  added.comments == 1 ? "" : "s", added.files, added.files == 1 ? "" : "s");
    if (added.left) output_format(&run->output, "; %u findings stand where none can be added", added.left);
    output_text(&run->output, ".\n");
    return run_deliver(run, EXIT_QUIET);
}

/* Prints the comparison, which machine formats cannot express. */
static void say_comparison(Run *run, const Report *report) {
    int format = run->options.format;
    Output lines = {.arena = run->arena, .workflow = true};
    if (format == FORMAT_PLAN || format == FORMAT_MARKDOWN || format == FORMAT_FULL ||
        format == FORMAT_CONCISE || format == FORMAT_GITHUB)
        return;
    report_comparison(&lines, report);
    (void)output_to_descriptor(output_guarded(&lines), STDERR_FILENO);
}

/* Warns of a log or trace that is of another program. */
static void say_oddities(Run *run, const Report *report) {
    if (!report->files) return; /* no file was analysed: judge says why */
    bool in_report = run->options.format == FORMAT_PLAN || run->options.format == FORMAT_FULL;
    Text log = observed_oddity(run->arena, report);
    Text trace = in_report ? TEXT("") : report_trace_oddity(run->arena, report);
    if (log.length) run_note(run, log);
    if (trace.length) run_note(run, trace);
}

int report_written(Run *run, const Analysis *analysis, const ReportOptions *wanted, const Report *before) {
    Report *made = report_make(run->arena, analysis, wanted);
    double limit_us = run->options.max_growth_us > 0 ? run->options.max_growth_us : GROWTH_US;
    if (before) made->comparison = compare_reports(run->arena, before, made, run->options.compare, limit_us);
    if (!run_overwrites_nothing(run, run->inputs)) return run_say(run->arena, run->error, EXIT_CANNOT);
    bool unsaid = run->options.add_allow || run->options.write_baseline || run->options.emit_test;
    for (uint32_t b = 0; unsaid && b < made->broken.count; b++)
        run_note(run, broken_line(run->arena, &made->broken.items[b]));
    if (run->options.add_allow) return allow_all(run, made);
    if (run->options.write_baseline) return write_baseline(run, made);
    if (run->options.emit_test) return write_test(run, made);
    write_report(run, made);
    int delivered = run_deliver(run, EXIT_QUIET);
    if (delivered) return delivered;
    say_comparison(run, made);
    say_oddities(run, made);
    if (run->options.write_prices && !write_prices(run, analysis))
        return run_say(run->arena, run->error, EXIT_CANNOT);
    return write_beside(run, made) ? judge(run, made) : run_say(run->arena, run->error, EXIT_CANNOT);
}
