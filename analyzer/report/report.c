#include "report.h"
#include "entries.h"
#include "fingerprint.h"
#include "gains.h"
#include "glyph.h"
#include "json.h"
#include "known.h"
#include "observed.h"
#include "mend.h"
#include "page.h"
#include "place.h"
#include "plan.h"
#include "snippet.h"
#include "source_names.h"
#include "worth.h"
#include <stdlib.h>

enum { EXPRESSION_LIMIT = 60 };

/* ---- words ---- */

Text report_level(Level level) {
    return level == LEVEL_ERROR ? TEXT("error") : level == LEVEL_WARNING ? TEXT("warning") : TEXT("note");
}

Text report_need(Need need) {
    if (need == NEED_AVOIDABLE) return TEXT("avoidable");
    return need == NEED_NEEDED ? TEXT("needed") : TEXT("unknown");
}

Text report_role(Role role) {
    if (role == ROLE_GPU) return TEXT("gpu");
    return role == ROLE_HOT ? TEXT("hot") : TEXT("wait");
}

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

Text report_profile_line(Arena *arena, const Report *report) {
    const Profile *profile = report->analysis->profile;
    const Ledger *ledger = report->analysis->ledger;
    Text accelerator = report->analysis->findings->accelerator;
    if (accelerator.length)
        return text_format(arena, "Waits are found, but not priced: not calibrated for %.*s, only for CUDA.",
                           SHOWN(accelerator));
    const char *rest =
        ledger && !ledger->distrust.length ? "What the trace shows is priced by it. Other prices" : "Prices";
    if (!profile->built_in)
        return text_format(arena, "%s use the profile \"%.*s\" (%.*s).", rest, SHOWN(profile->name),
                           SHOWN(profile->text));
    return text_format(arena,
                       "%s use the built-in reference profile (%.*s), not your GPU: run `syncl --calibrate`, "
                       "or give --step-time and --gpu-busy.",
                       rest, SHOWN(profile->device));
}

static Text left_out(Arena *arena, const Report *report) {
    Text text = TEXT("");
    const struct {
        uint32_t count;
        const char *how;
    } parts[] = {
        {report->unsure, "less sure (--min-confidence possible)"},
        {report->deselected, "not selected"},
        {report->suppressed, "allowed in the source"},
        {report->cheap, "cheaper than --min-cost, or without the gain of --min-gain"},
        {report->known, "known from before"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!parts[i].count) continue;
        text = text_format(arena, "%.*s%s%u %s", SHOWN(text),
                           text.length ? ", " : "; not shown: ", parts[i].count, parts[i].how);
    }
    return text;
}

Text report_summary_line(Arena *arena, const Report *report) {
    uint32_t skipped = report->analysis->program->skipped.count;
    Text hidden = left_out(arena, report);
    Text skips = skipped ? text_format(arena, ", %u skipped", skipped) : TEXT("");
    if (report->broken.count)
        skips = text_format(arena, "%.*s, %u read in part", SHOWN(skips), report->broken.count);
    uint32_t given_up = report->analysis->findings->given_up;
    if (given_up)
        skips = text_format(arena, "%.*s, %u call%s not followed to the end", SHOWN(skips), given_up,
                            plural(given_up));
    uint32_t unread = report->analysis->program->unread;
    if (unread)
        skips = text_format(arena, "%.*s, %u imported definition%s left unread", SHOWN(skips), unread,
                            plural(unread));
    if (report->findings.count == 0)
        return text_format(arena, "No waits found in %u file%s%.*s%.*s.", report->files, plural(report->files),
                           SHOWN(skips), SHOWN(hidden));
    Text errors =
        report->errors ? text_format(arena, "%u error%s, ", report->errors, plural(report->errors)) : TEXT("");
    return text_format(arena, "%.*s%u warning%s and %u note%s in %u file%s%.*s%.*s.", SHOWN(errors),
                       report->warnings, plural(report->warnings), report->notes, plural(report->notes),
                       report->files, plural(report->files), SHOWN(skips), SHOWN(hidden));
}

/* ---- findings ---- */

Text report_place(Arena *arena, const Finding *finding) {
    Text path = glyph_clean(arena, finding->file->path);
    Text cell = finding->cell ? text_format(arena, "cell %u:", finding->cell) : TEXT("");
    return text_format(arena, "%.*s:%.*s%u:%u", SHOWN(path), SHOWN(cell), finding->start.line,
                       finding->start.column);
}

Text report_filled(Arena *arena, Text message, Text expression) {
    static const Text place = {"{expr}", 6};
    uint32_t at = text_find(message, place);
    if (at == message.length) return message;
    Text rest = report_filled(arena, text_slice(message, at + place.length, message.length), expression);
    return text_format(arena, "%.*s%.*s%.*s", (int)at, message.bytes, SHOWN(expression), SHOWN(rest));
}

/* The advice of the fact, else the page's. */
static Text advice_of(Arena *arena, const Rulebook *book, const Site *site, bool *own) {
    Text advice = rulebook_effect_text(book, site->clause, EFF_instead);
    *own = advice.length != 0;
    return *own ? advice
                : page_first_paragraph(arena, rulebook_text(book, book->hazards[site->hazard].instead));
}

static void fill_rule(Arena *arena, const Rulebook *book, Finding *finding) {
    const Hazard *hazard = &book->hazards[finding->site->hazard];
    Span span = finding->site->span;
    Text source = text_slice(finding->file->bytes, span.start, span.end);
    Text expression = snippet_line(arena, source, EXPRESSION_LIMIT);
    finding->rule = rulebook_text(book, hazard->name);
    finding->code = rulebook_text(book, hazard->code);
    finding->kind = rulebook_text(book, hazard->kind);
    finding->message = report_filled(arena, rulebook_text(book, hazard->message), expression);
    finding->suggestion =
        report_filled(arena, advice_of(arena, book, finding->site, &finding->own_advice), expression);
}

static Finding make_finding(Arena *arena, const Analysis *analysis, const Site *site, const SiteCost *cost,
                            uint64_t fingerprint) {
    const SourceFile *file = &analysis->program->files.items[site->file];
    Finding finding = {.site = site, .cost = cost, .file = file};
    fill_rule(arena, analysis->rulebook, &finding);
    finding.fingerprint = text_format(arena, "%016llx", (unsigned long long)fingerprint);
    Place start = place_shown(file, site->span.start), end = place_shown(file, site->span.end);
    finding.cell = start.cell;
    finding.start = (Position){start.line, start.column};
    finding.end = (Position){end.line, end.column};
    finding.raw_start = place_physical(file, site->span.start);
    finding.raw_end = place_physical(file, site->span.end);
    uint32_t last =
        site->statement.end > site->statement.start ? site->statement.end - 1 : site->statement.start;
    finding.statement_line = place_line(file, site->statement.start);
    finding.statement_end_line = place_line(file, last);
    return finding;
}

Text report_cell(Arena *arena, const Finding *finding) {
    if (!finding->cell) return TEXT("");
    return text_format(arena, "Cell %u, line %u: ", finding->cell, finding->start.line);
}

Text report_sentence(Arena *arena, const Finding *finding) {
    Text message = glyph_utf8(arena, finding->message), often = finding->site->frequency.text,
         cost = finding->cost->text, cell = report_cell(arena, finding);
    return text_format(arena, "%.*s%.*s Runs %.*s; cost: %.*s.", SHOWN(cell), SHOWN(message), SHOWN(often),
                       SHOWN(cost));
}

bool report_gains(const Report *report, const Finding *finding) {
    return !report->gains || report->gains[finding - report->findings.items];
}

double report_middle(CostRange range) { return (range.low_us + range.high_us) / 2; }

static int by_worth(const void *left, const void *right) {
    const Finding *a = left, *b = right;
    bool breaks_a = a->site->level == LEVEL_ERROR, breaks_b = b->site->level == LEVEL_ERROR;
    if (breaks_a != breaks_b) return breaks_a ? -1 : 1;
    if (a->worth != b->worth) return a->worth > b->worth ? -1 : 1;
    if (a->site->file != b->site->file) return a->site->file < b->site->file ? -1 : 1;
    if (a->site->span.start != b->site->span.start) return a->site->span.start < b->site->span.start ? -1 : 1;
    int rules = text_compare(a->code, b->code);
    if (rules != 0) return rules;
    return a->id < b->id ? -1 : a->id > b->id;
}

static void order(Report *report) {
    for (uint32_t i = 0; i < report->findings.count; i++) {
        Finding *finding = &report->findings.items[i];
        finding->worth = worth_of_finding(report, finding);
    }
    if (report->findings.count > 1)
        qsort(report->findings.items, report->findings.count, sizeof *report->findings.items, by_worth);
}

static bool is_selected(const Report *report, const Site *site) {
    const ReportOptions *options = report->options;
    const Selection *selection = options->by_file ? &options->by_file[site->file] : &options->selection;
    return selection->shown[site->hazard];
}

/* Only waits have prices. */
static bool is_cheap(const Report *report, SiteId id) {
    const Analysis *analysis = report->analysis;
    HotLoopId loop = analysis->findings->sites.items[id].loop;
    bool gains = !loop || analysis->costs->loops[loop].share_high >= report->options->cost.min_gain;
    const Hazard *hazard = &analysis->rulebook->hazards[analysis->findings->sites.items[id].hazard];
    bool is_wait = text_equal(rulebook_text(analysis->rulebook, hazard->kind), TEXT("wait"));
    return is_wait && !analysis->costs->sites[id].uncalibrated &&
           (!gains || analysis->costs->sites[id].per_turn.high_us < report->options->min_cost_us);
}

static bool is_shown(Report *report, SiteId id) {
    const Site *site = &report->analysis->findings->sites.items[id];
    uint32_t *left_out = NULL;
    if (!is_selected(report, site))
        left_out = &report->deselected;
    else if (site->confidence < report->options->min_confidence)
        left_out = &report->unsure;
    else if (report->analysis->suppressions->allowed[id])
        left_out = &report->suppressed;
    else if (is_cheap(report, id))
        left_out = &report->cheap;
    if (left_out) ++*left_out;
    return !left_out;
}

static void collect(Arena *result, Report *report) {
    const Analysis *analysis = report->analysis;
    const Site *sites = analysis->findings->sites.items;
    uint32_t count = analysis->findings->sites.count;
    const uint64_t *marks = fingerprints(result, analysis, &report->options->repository, sites, count);
    for (SiteId id = 1; id < count; id++) {
        if (!analysis->program->files.items[sites[id].file].reported || !is_shown(report, id)) continue;
        Finding finding = make_finding(result, analysis, &sites[id], &analysis->costs->sites[id], marks[id]);
        finding.id = id;
        vec_push(result, &report->findings, finding);
    }
}

static void collect_remarks(Arena *result, Report *report) {
    const Analysis *analysis = report->analysis;
    Remarks *remarks = remarks_make(result, analysis, report->options->remarks);
    uint32_t count = remarks->sites.count;
    const uint64_t *marks =
        fingerprints(result, analysis, &report->options->repository, remarks->sites.items, count);
    for (uint32_t i = 1; i < count; i++) {
        const Site *site = &remarks->sites.items[i];
        if (is_selected(report, site))
            vec_push(result, &report->findings, make_finding(result, analysis, site, &remarks->cost, marks[i]));
    }
}

static void drop_known(Arena *result, Report *report) {
    uint32_t count = report->findings.count, kept = 0;
    if (!report->options->known) return;
    KnownFinding *now = arena_new(result, KnownFinding, count + 1u);
    for (uint32_t i = 0; i < count; i++) now[i] = known_of(result, report, &report->findings.items[i]);
    const uint32_t *matches = known_match(result, report->options->known, now, count);
    for (uint32_t i = 0; i < count; i++) {
        Finding finding = report->findings.items[i];
        uint32_t as = matches[i] - 1;
        bool risen = matches[i] && finding.site->level > report->options->known->items[as].level;
        if (matches[i]) vec_push(result, &report->before, ((KnownHere){finding, as, risen}));
        if (!matches[i] || risen) report->findings.items[kept++] = finding;
    }
    report->known = count - kept;
    report->findings.count = kept;
}

/* ---- failing ---- */

bool report_over(const Report *report, HotLoopId loop) {
    return report->totals && report_middle(report->totals[loop].all) > report->options->fail_over_us;
}

/* Findings without a price fail whatever the totals are. */
bool report_fails(const Report *report, const Finding *finding) {
    const ReportOptions *options = report->options;
    bool is_wait = text_equal(finding->kind, TEXT("wait"));
    bool judged = options->fail_over_us == 0 || options->fail_on_too || !is_wait;
    return judged && finding->site->level >= options->fail_on &&
           finding->site->confidence >= options->fail_confidence;
}

static void judge(Arena *result, Report *report) {
    const Analysis *analysis = report->analysis;
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        if (finding->site->level == LEVEL_ERROR)
            report->errors++;
        else if (finding->site->level == LEVEL_WARNING)
            report->warnings++;
        else
            report->notes++;
        report->fails |= report_fails(report, finding);
    }
    report->fails |= report->options->fail_on_broken && report->broken.count > 0;
    if (report->options->fail_over_us == 0) return;
    report->totals = report_totals(result, report, false);
    for (HotLoopId id = 1; id < analysis->findings->loops.count; id++) report->fails |= report_over(report, id);
}

const LoopCost *report_totals(Arena *result, const Report *report, bool with_before) {
    const Analysis *analysis = report->analysis;
    CostOptions options = report->options->cost;
    bool *counted = arena_new(result, bool, analysis->findings->sites.count + 1u);
    for (uint32_t i = 0; i < report->findings.count; i++) counted[report->findings.items[i].id] = true;
    for (uint32_t i = 0; with_before && i < report->before.count; i++) {
        const KnownHere *known = &report->before.items[i];
        if (report->options->known->items[known->as].finding) counted[known->finding.id] = true;
    }
    options.counted = counted;
    Costs *costs = cost_findings(result, analysis->findings, analysis->profile, &options);
    for (HotLoopId id = 1; id < analysis->findings->loops.count; id++) {
        const Ledger *ledger = ledger_of_loop(analysis->ledger, id);
        if (ledger) costs->loops[id].all = ledger_saving(ledger, counted).range;
    }
    return costs->loops;
}

static const Bindings **find_bindings(Arena *result, const Report *report) {
    const Program *program = report->analysis->program;
    const Bindings **bindings = arena_new(result, const Bindings *, program->files.count);
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Site *site = report->findings.items[i].site;
        const HotLoop *loop = site->loop ? &report->analysis->findings->loops.items[site->loop] : NULL;
        FileId files[] = {site->file, loop ? loop->file : 0};
        for (int k = 0; k < 2; k++)
            if (files[k] && !bindings[files[k]])
                bindings[files[k]] = bindings_find(result, &program->files.items[files[k]]);
    }
    return bindings;
}

static const Text *find_loaders(Arena *result, const Report *report) {
    const Analysis *analysis = report->analysis;
    uint32_t count = analysis->findings->loops.count + 1u;
    Text *loaders = arena_new(result, Text, count);
    bool *asked = arena_new(result, bool, count);
    for (uint32_t i = 0; i < report->findings.count; i++) {
        HotLoopId loop = report->findings.items[i].site->loop;
        if (!loop || asked[loop] ||
            !mend_names_loader(analysis->rulebook, report->findings.items[i].site->hazard))
            continue;
        const HotLoop *head = &analysis->findings->loops.items[loop];
        loaders[loop] = source_loader(analysis, report->bindings[head->file], head);
        asked[loop] = true;
    }
    return loaders;
}

/* Advice for the code at hand replaces the page's general advice. */
static void advise(Arena *result, const Report *report, Finding *finding) {
    if (mend_template(report, finding).length)
        finding->suggestion = mend_text(result, report, (const Finding *const[]){finding}, 1, false);
}

Report *report_make(Arena *result, const Analysis *analysis, const ReportOptions *options) {
    Report *report = arena_new(result, Report, 1);
    *report = (Report){.analysis = analysis, .options = options};
    for (FileId id = 1; id < analysis->program->files.count; id++)
        report->files += analysis->program->files.items[id].reported;
    broken_find(result, analysis->program, analysis->suppressions, &report->broken);
    collect(result, report);
    collect_remarks(result, report);
    drop_known(result, report);
    judge(result, report);
    report->beside = worth_sides(result, report);
    report->strays = find_strays(result, analysis->program);
    report->trains = worth_trains(report);
    order(report);
    report->bindings = find_bindings(result, report);
    report->loaders = find_loaders(result, report);
    for (uint32_t i = 0; i < report->findings.count; i++) advise(result, report, &report->findings.items[i]);
    if (options->fixes) report->gains = gains_by_safety(result, report);
    if (options->top) report->plan = plan_make(result, report, options->top);
    if (options->observed.bytes) report->observed = observed_match(result, report, options->observed);
    return report;
}
