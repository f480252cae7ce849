#include "fix_edits.h"
#include "json.h"
#include "observed.h"
#include "place.h"
#include "plan_json.h"
#include "report.h"
#include "report_trace.h"
#include "worth.h"

static void add_range_or_null(const Json *json, Value *object, bool known, CostRange range) {
    if (known) {
        json_add_number(json, object, "low_us", range.low_us);
        json_add_number(json, object, "high_us", range.high_us);
    } else {
        json_add_null(json, object, "low_us");
        json_add_null(json, object, "high_us");
    }
}

static Value *range_value(const Json *json, bool known, CostRange range) {
    Value *object = json_object(json);
    add_range_or_null(json, object, known, range);
    return object;
}

/* ---- findings ---- */

static Value *statement_value(const Json *json, const Finding *finding) {
    Value *object = json_object(json);
    json_add_count(json, object, "line", finding->statement_line);
    json_add_count(json, object, "end_line", finding->statement_end_line);
    return object;
}

/* A loop's name within this report: the place of its head, which is unique. */
static Text loop_id(const Json *json, const Report *report, HotLoopId id) {
    const Analysis *analysis = report->analysis;
    const HotLoop *loop = &analysis->findings->loops.items[id];
    const SourceFile *file = &analysis->program->files.items[loop->file];
    Text line = place_text(json->arena, file, loop->head.start);
    return text_format(json->arena, "%.*s:%.*s:%u", SHOWN(file->path), SHOWN(line),
                       place_shown(file, loop->head.start).column);
}

static Value *loop_value(const Json *json, const Report *report, HotLoopId id) {
    return id ? json_text(json, loop_id(json, report, id)) : yyjson_mut_null(json->document);
}

static Value *also_value(const Json *json, const Report *report, const Site *site) {
    Value *array = json_array(json);
    for (uint32_t i = 0; i < site->also_count; i++) json_append(array, loop_value(json, report, site->also[i]));
    return array;
}

static void add_cell(const Json *json, Value *object, uint32_t cell) {
    if (cell)
        json_add_count(json, object, "cell", cell);
    else
        json_add_null(json, object, "cell");
}

static void add_line(const Json *json, Value *object, const SourceFile *file, uint32_t offset) {
    Place place = place_shown(file, offset);
    json_add_text(json, object, "file", file->path);
    add_cell(json, object, place.cell);
    json_add_count(json, object, "line", place.line);
}

static Value *reason_value(const Json *json, const Report *report, const Reason *reason) {
    const SourceFile *file = &report->analysis->program->files.items[reason->file];
    Value *object = json_object(json);
    add_line(json, object, file, reason->span.start);
    json_add_text(json, object, "text", reason->text);
    json_add_text(json, object, "role", report_role(reason->role));
    return object;
}

static Value *why_value(const Json *json, const Report *report, const Site *site) {
    Value *array = json_array(json);
    for (uint32_t i = 0; i < site->reason_count; i++)
        json_append(array, reason_value(json, report, &site->reasons[i]));
    return array;
}

static Value *frequency_value(const Json *json, const Frequency *frequency) {
    Value *object = json_object(json);
    json_add_text(json, object, "unit", unit_word(frequency->unit));
    if (frequency->times > 0 && frequency->every > 0)
        json_add_number(json, object, "per_step", frequency->times / frequency->every);
    else
        json_add_null(json, object, "per_step");
    if (frequency->every > 0)
        json_add_count(json, object, "every", frequency->every);
    else
        json_add_null(json, object, "every");
    if (frequency->only.length) json_add_text(json, object, "only", frequency->only);
    json_add_text(json, object, "text", frequency->text);
    return object;
}

static void add_remedy(const Json *json, Value *remedies, const char *kind, double saves_us, double of_us) {
    if (saves_us <= 0) return;
    Value *remedy = json_object(json);
    json_add_text(json, remedy, "kind", text_of(kind));
    json_add_number(json, remedy, "saves_us", saves_us);
    json_add_number(json, remedy, "of_us", of_us);
    json_append(remedies, remedy);
}

static Value *remedies_value(const Json *json, const Remedies *remedies) {
    Value *list = json_array(json);
    add_remedy(json, list, "move-to-end", remedies->moved_us, remedies->of_us);
    add_remedy(json, list, "read-together", remedies->merged_us, remedies->of_us);
    add_remedy(json, list, "read-seldom", remedies->seldom_us, remedies->of_us);
    return list;
}

static Value *cost_value(const Json *json, const SiteCost *cost) {
    Value *object = json_object(json);
    json_add_text(json, object, "basis",
                  cost->recorded ? TEXT("recorded")
                  : cost->traced ? TEXT("trace")
                                 : TEXT("static"));
    json_add(json, object, "per_execution", range_value(json, !cost->uncalibrated, cost->per_execution));
    add_range_or_null(json, object, cost->has_per_turn, cost->per_turn);
    json_add(json, object, "marginal", range_value(json, cost->has_per_turn, cost->marginal));
    if (cost->uncalibrated)
        json_add_null(json, object, "blocked_us");
    else
        json_add_number(json, object, "blocked_us", cost->blocked.high_us);
    json_add(json, object, "remedies", remedies_value(json, &cost->remedies));
    json_add_text(json, object, "text", cost->text);
    return object;
}

static void add_place(const Json *json, Value *object, const Finding *finding) {
    json_add_text(json, object, "file", finding->file->path);
    add_cell(json, object, finding->cell);
    json_add_count(json, object, "line", finding->start.line);
    json_add_count(json, object, "column", finding->start.column);
    json_add_count(json, object, "end_line", finding->end.line);
    json_add_count(json, object, "end_column", finding->end.column);
    json_add(json, object, "statement", statement_value(json, finding));
}

static Text standing(const Report *report, FileId file) {
    return worth_is_aside(report, file) ? TEXT("beside")
           : report->strays[file]       ? TEXT("stray")
                                        : TEXT("program");
}

static Value *seen_value(const Json *json, const Report *report, const Finding *finding) {
    if (!report->observed) return yyjson_mut_null(json->document);
    uint32_t index = (uint32_t)(finding - report->findings.items);
    Value *object = json_object(json);
    json_add_text(json, object, "status", observed_word(report->observed->seen[index]));
    json_add_count(json, object, "warnings", report->observed->counts[index]);
    return object;
}

/* What the trace shows of a finding, if there is a trusted one. */
static void add_traced(const Json *json, Value *object, const Report *report, SiteId id) {
    const Analysis *analysis = report->analysis;
    if (!analysis->ledger || analysis->ledger->distrust.length) return;
    const Ledger *ledger = ledger_of_site(analysis->ledger, analysis->findings, id);
    const TracedSite *traced = ledger ? &ledger->sites[id] : NULL;
    const char *seen = !traced              ? "not seen"
                       : traced->added      ? "added"
                       : traced->in_library ? "inside a library"
                                            : "measured";
    json_add_text(json, object, "traced", text_of(seen));
}

/* What speaks against a finding; rows of confidence.def that mean the same share a word. */
static void add_doubts(const Json *json, Value *object, const Site *site) {
    const char *told[EVIDENCES];
    unsigned count = 0;
    for (unsigned bit = 0; bit < EVIDENCES; bit++) {
        bool again = !(site->evidence >> bit & 1) || !evidence_doubts(bit);
        for (unsigned i = 0; i < count && !again; i++) again = strcmp(told[i], evidence_word(bit)) == 0;
        if (!again) told[count++] = evidence_word(bit);
    }
    if (!count) return;
    Value *words = json_array(json);
    for (unsigned i = 0; i < count; i++) json_append(words, json_text(json, text_of(told[i])));
    json_add(json, object, "doubts", words);
}

static Value *finding_value(const Json *json, const Report *report, const Finding *finding) {
    const Site *site = finding->site;
    Value *object = json_object(json);
    json_add_text(json, object, "id", finding->fingerprint);
    json_add_text(json, object, "rule", finding->rule);
    json_add_text(json, object, "code", finding->code);
    json_add_text(json, object, "level", report_level(site->level));
    json_add_text(json, object, "kind", finding->kind);
    json_add_text(json, object, "need", report_need(site->need));
    if (site->purpose) json_add_text(json, object, "purpose", text_of(rulebook_word((Word)site->purpose)));
    json_add_text(json, object, "confidence", confidence_word(site->confidence));
    add_doubts(json, object, site);
    add_place(json, object, finding);
    json_add_text(json, object, "standing", standing(report, site->file));
    json_add_text(json, object, "message", finding->message);
    json_add_text(json, object, "api", site->entry);
    if (site->waits > 0)
        json_add_number(json, object, "waits", site->waits);
    else
        json_add_null(json, object, "waits");
    json_add(json, object, "loop", loop_value(json, report, site->loop));
    json_add(json, object, "also_in", also_value(json, report, site));
    json_add(json, object, "why", why_value(json, report, site));
    json_add(json, object, "frequency", frequency_value(json, &site->frequency));
    json_add(json, object, "cost", cost_value(json, finding->cost));
    if (finding->id) add_traced(json, object, report, finding->id);
    json_add_text(json, object, "suggestion", finding->suggestion);
    json_add(json, object, "fix", fix_value(json, report, finding));
    json_add(json, object, "observed", seen_value(json, report, finding));
    return object;
}

static void write_findings(JsonStream *stream, const Report *report) {
    json_stream_array(stream, "findings");
    for (uint32_t i = 0; i < report->findings.count; i++)
        json_stream_append(stream, finding_value(&stream->json, report, &report->findings.items[i]));
    json_stream_array_end(stream);
}

/* ---- loops ---- */

static Value *ledger_value(const Json *json, const Report *report, HotLoopId id) {
    const Analysis *analysis = report->analysis;
    const HotLoop *loop = &analysis->findings->loops.items[id];
    const LoopCost *cost = &analysis->costs->loops[id];
    const SourceFile *file = &analysis->program->files.items[loop->file];
    Value *object = json_object(json), *operations = json_object(json);
    json_add_text(json, object, "id", loop_id(json, report, id));
    json_add_text(json, object, "name", loop->name);
    json_add_text(json, object, "unit", unit_word(loop->unit));
    add_line(json, object, file, loop->head.start);
    bool known = !cost->uncalibrated;
    json_add(json, object, "turn", range_value(json, known, cost->turn));
    json_add(json, object, "host", range_value(json, known, cost->host));
    json_add(json, object, "gpu", range_value(json, known, cost->gpu));
    json_add(json, object, "avoidable", range_value(json, known, cost->avoidable));
    json_add(json, object, "all", range_value(json, known, cost->all));
    json_add_number(json, operations, "low", cost->operations_low);
    json_add_number(json, operations, "high", cost->operations_high);
    json_add(json, object, "operations", operations);
    json_add_count(json, object, "unseen_calls", loop->unseen);
    json_add_text(json, object, "text", cost->text);
    const char *verdicts[] = {[VERDICT_UNKNOWN] = "unknown", [VERDICT_GAIN] = "gain", [VERDICT_NONE] = "none"};
    json_add_text(json, object, "verdict", text_of(verdicts[cost->verdict]));
    if (cost->deciding.length)
        json_add_text(json, object, "deciding", cost->deciding);
    else
        json_add_null(json, object, "deciding");
    json_add_text(json, object, "verdict_text", cost->verdict_text);
    return object;
}

static void write_loops(JsonStream *stream, const Report *report) {
    json_stream_array(stream, "loops");
    for (HotLoopId id = 1; id < report->analysis->findings->loops.count; id++)
        json_stream_append(stream, ledger_value(&stream->json, report, id));
    json_stream_array_end(stream);
}

/* ---- everything else ---- */

static Value *profile_value(const Json *json, const Report *report) {
    const Profile *profile = report->analysis->profile;
    Value *object = json_object(json);
    json_add_text(json, object, "name", profile->name);
    json_add_text(json, object, "device", profile->device);
    json_add_text(json, object, "source", profile->source);
    return object;
}

static Value *skipped_value(const Json *json, const Report *report) {
    const Program *program = report->analysis->program;
    Value *array = json_array(json);
    for (uint32_t i = 0; i < program->skipped.count; i++) {
        Value *object = json_object(json);
        json_add_text(json, object, "file", program->skipped.items[i].path);
        json_add_text(json, object, "reason", program->skipped.items[i].reason);
        json_append(array, object);
    }
    return array;
}

static Value *broken_value(const Json *json, const Broken *broken) {
    Value *object = json_object(json);
    json_add_text(json, object, "file", broken->file->path);
    add_cell(json, object, broken->cell);
    json_add_count(json, object, "line", broken->at.line);
    json_add_count(json, object, "column", broken->at.column);
    json_add_text(json, object, "reason", broken->reason);
    return object;
}

static Value *all_broken_value(const Json *json, const Report *report) {
    Value *array = json_array(json);
    for (uint32_t i = 0; i < report->broken.count; i++)
        json_append(array, broken_value(json, &report->broken.items[i]));
    return array;
}

static Value *growth_value(const Json *json, const Report *report, const LoopGrowth *growth) {
    Value *object = json_object(json), *causes = json_array(json);
    json_add(json, object, "loop", loop_value(json, report, growth->loop));
    json_add_number(json, object, "growth_us", growth->growth_us);
    json_add_number(json, object, "share", growth->share);
    json_add_bool(json, object, "too_much", growth->too_much);
    for (uint32_t i = 0; i < growth->causes.count; i++) {
        Value *cause = json_object(json);
        json_add_text(json, cause, "id", growth->causes.items[i].finding->fingerprint);
        json_add_number(json, cause, "growth_us", growth->causes.items[i].growth_us);
        json_add_text(json, cause, "text", growth->causes.items[i].text);
        json_append(causes, cause);
    }
    json_add(json, object, "causes", causes);
    json_add_number(json, object, "rest_us", growth->rest_us);
    return object;
}

static Value *compare_value(const Json *json, const Report *report) {
    const Comparison *comparison = report->comparison;
    Value *object = json_object(json), *loops = json_array(json);
    if (!comparison) return yyjson_mut_null(json->document);
    for (uint32_t i = 0; i < comparison->loops.count; i++)
        json_append(loops, growth_value(json, report, &comparison->loops.items[i]));
    json_add_text(json, object, "revision", comparison->revision);
    json_add_count(json, object, "gone", comparison->gone);
    json_add(json, object, "loops", loops);
    json_add_bool(json, object, "failed", comparison->fails);
    return object;
}

static Value *summary_value(const Json *json, const Report *report) {
    Value *object = json_object(json);
    json_add_count(json, object, "files", report->files);
    json_add_count(json, object, "errors", report->errors);
    json_add_count(json, object, "warnings", report->warnings);
    json_add_count(json, object, "notes", report->notes);
    json_add_count(json, object, "skipped", report->analysis->program->skipped.count);
    json_add_count(json, object, "broken", report->broken.count);
    json_add_count(json, object, "less_sure", report->unsure);
    json_add_count(json, object, "deselected", report->deselected);
    json_add_count(json, object, "suppressed", report->suppressed);
    json_add_count(json, object, "cheap", report->cheap);
    json_add_count(json, object, "known", report->known);
    json_add_count(json, object, "unused_suppressions", report->analysis->suppressions->unused);
    json_add_count(json, object, "given_up", report->analysis->findings->given_up);
    json_add_count(json, object, "neighbours", report->analysis->program->neighbours);
    json_add_count(json, object, "unread", report->analysis->program->unread);
    json_add_count(json, object, "unknown_receivers", report->analysis->findings->unknown_receivers);
    json_add_bool(json, object, "failed", report->fails);
    return object;
}

static Value *wait_value(const Json *json, const ObservedWait *wait, bool once) {
    Value *value = json_object(json);
    json_add_text(json, value, "file", wait->path);
    json_add_count(json, value, "line", wait->line);
    json_add_count(json, value, "warnings", wait->count);
    json_add_bool(json, value, "analysed", wait->file != 0);
    json_add_bool(json, value, "in_backward", wait->in_backward);
    json_add_bool(json, value, "hidden", wait->hidden);
    json_add_bool(json, value, "once", once);
    return value;
}

static Value *observed_value(const Json *json, const Observed *observed) {
    Value *object = json_object(json), *waits = json_array(json);
    for (uint32_t i = 0; i < observed->waits.count; i++)
        json_append(waits, wait_value(json, &observed->waits.items[i], false));
    for (uint32_t i = 0; i < observed->once.count; i++)
        json_append(waits, wait_value(json, &observed->once.items[i], true));
    json_add_count(json, object, "warnings", observed->warnings);
    json_add_count(json, object, "warnings_here", observed->here);
    json_add_count(json, object, "lines_covered", observed->covered);
    json_add(json, object, "without_finding", waits);
    return object;
}

void report_json(Output *output, const Report *report) {
    JsonStream stream;
    const Json *json = &stream.json;
    json_stream_open(&stream, output);
    json_stream_add(&stream, "version", json_number(json, 1));
    json_stream_add(&stream, "profile", profile_value(json, report));
    write_findings(&stream, report);
    write_loops(&stream, report);
    if (report->plan) json_stream_add(&stream, "plan", plan_value(json, report, loop_value));
    if (report->analysis->ledger) json_stream_add(&stream, "trace", report_trace_value(json, report));
    if (report->observed) json_stream_add(&stream, "observed", observed_value(json, report->observed));
    json_stream_add(&stream, "skipped", skipped_value(json, report));
    json_stream_add(&stream, "broken", all_broken_value(json, report));
    json_stream_add(&stream, "compare", compare_value(json, report));
    json_stream_add(&stream, "summary", summary_value(json, report));
    json_stream_close(&stream);
}

/* One finding a line, the same object as in `findings`; then one file that was read in part a line, as in
   `broken`. */
void report_json_lines(Output *output, const Report *report) {
    Arena scratch = {0};
    for (uint32_t i = 0; i < report->findings.count; i++) {
        Json document = json_start(&scratch), *json = &document;
        json_root(json, finding_value(json, report, &report->findings.items[i]));
        json_write_line(output, json);
        arena_reset(&scratch);
    }
    for (uint32_t i = 0; i < report->broken.count; i++) {
        Json document = json_start(&scratch), *json = &document;
        Value *object = json_object(json);
        json_add(json, object, "broken", broken_value(json, &report->broken.items[i]));
        json_root(json, object);
        json_write_line(output, json);
        arena_reset(&scratch);
    }
    arena_free(&scratch);
}
