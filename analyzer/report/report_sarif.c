/* SARIF 2.1.0 as code scanning reads it. A run with over 25,000 results is rejected, and only the most severe
   results are kept: so results are sorted by worth, and a wait that costs about nothing is a note. */
#include "fix_edits.h"
#include "json.h"
#include "place.h"
#include "report.h"

enum { RESULTS_SHOWN = 20000, REASONS_SHOWN = 1000, DESCRIPTION_CHARACTERS = 1000 };

/* ---- rules ---- */

static Value *rule_help(const Json *json, Text page) {
    Value *help = json_object(json);
    json_add_text(json, help, "text", page);
    json_add_text(json, help, "markdown", page);
    return help;
}

static Value *rule_properties(const Json *json) {
    Value *properties = json_object(json), *tags = json_array(json);
    json_append(tags, json_text(json, TEXT("performance")));
    json_append(tags, json_text(json, TEXT("pytorch")));
    json_append(tags, json_text(json, TEXT("gpu")));
    json_add(json, properties, "tags", tags);
    json_add_text(json, properties, "precision", TEXT("high"));
    json_add_text(json, properties, "problem.severity", TEXT("warning"));
    return properties;
}

static Value *rule_value(const Json *json, const Rulebook *book, const Hazard *hazard) {
    Value *object = json_object(json), *level = json_object(json);
    Text expression = TEXT("this expression");
    Text message = report_filled(json->arena, rulebook_text(book, hazard->message), expression);
    Text why = rulebook_text(book, hazard->why);
    json_add_text(json, object, "id", rulebook_text(book, hazard->code));
    json_add_text(json, object, "name", rulebook_text(book, hazard->name));
    json_add(json, object, "shortDescription", sarif_text(json, message));
    json_add(json, object, "fullDescription",
             sarif_text(json, text_cut(why.length ? why : message, DESCRIPTION_CHARACTERS)));
    json_add(json, object, "help", rule_help(json, rulebook_text(book, hazard->page)));
    json_add_text(json, level, "level", TEXT("warning"));
    json_add(json, object, "defaultConfiguration", level);
    json_add(json, object, "properties", rule_properties(json));
    return object;
}

static Value *tool_value(const Json *json, const Report *report) {
    const Rulebook *book = report->analysis->rulebook;
    Value *tool = json_object(json), *driver = json_object(json), *rules = json_array(json);
    for (HazardId id = 1; id < book->hazard_count; id++)
        json_append(rules, rule_value(json, book, &book->hazards[id]));
    json_add_text(json, driver, "name", TEXT("syncl"));
    json_add_text(json, driver, "version", text_of(report->options->version));
    json_add(json, driver, "rules", rules);
    json_add(json, tool, "driver", driver);
    return tool;
}

/* ---- places ---- */

/* A path as a URI relative to the repository's root, else as file://. */
static Text uri_of(Arena *arena, const Report *report, Text path) {
    Output uri = {.arena = arena};
    Text stable = repository_path(arena, &report->options->repository, path);
    output_text(&uri, text_starts(stable, TEXT("/")) ? "file://" : "");
    output_uri(&uri, stable);
    return (Text){uri.bytes.items, uri.bytes.count};
}

static Value *place_value(const Json *json, const Report *report, const SourceFile *file, Span span) {
    Value *physical = json_object(json), *artifact = json_object(json);
    json_add_text(json, artifact, "uri", uri_of(json->arena, report, file->path));
    json_add(json, physical, "artifactLocation", artifact);
    json_add(json, physical, "region", sarif_region(json, file, span));
    return physical;
}

static Value *location_value(const Json *json, Value *physical, Text message) {
    Value *location = json_object(json);
    json_add(json, location, "physicalLocation", physical);
    if (message.length) json_add(json, location, "message", sarif_text(json, message));
    return location;
}

/* ---- results ---- */

static void append_step(const Json *json, Value *steps, Value *location) {
    Value *step = json_object(json);
    json_add(json, step, "location", location);
    json_append(steps, step);
}

/* The chain of reasons, ending at the wait. */
static Value *flows_value(const Json *json, const Report *report, const Finding *finding) {
    const Site *site = finding->site;
    Value *flows = json_array(json), *flow = json_object(json), *threads = json_array(json),
          *thread = json_object(json), *steps = json_array(json);
    for (uint32_t i = 0; i < site->reason_count && i < REASONS_SHOWN - 1; i++) {
        const Reason *reason = &site->reasons[i];
        const SourceFile *file = &report->analysis->program->files.items[reason->file];
        append_step(json, steps,
                    location_value(json, place_value(json, report, file, reason->span), reason->text));
    }
    Value *here = place_value(json, report, finding->file, site->span);
    append_step(json, steps, location_value(json, here, TEXT("the CPU waits here")));
    json_add(json, thread, "locations", steps);
    json_append(threads, thread);
    json_add(json, flow, "threadFlows", threads);
    json_append(flows, flow);
    return flows;
}

static Value *result_properties(const Json *json, const Finding *finding) {
    Value *object = json_object(json);
    json_add_text(json, object, "confidence", confidence_word(finding->site->confidence));
    json_add_text(json, object, "need", report_need(finding->site->need));
    json_add_number(json, object, "costLowMicroseconds", finding->cost->per_turn.low_us);
    json_add_number(json, object, "costHighMicroseconds", finding->cost->per_turn.high_us);
    return object;
}

static Value *result_value(const Json *json, const Report *report, const Finding *finding) {
    const Site *site = finding->site;
    bool matters = site->level >= LEVEL_WARNING && !finding->cost->about_zero;
    Value *object = json_object(json), *locations = json_array(json), *prints = json_object(json);
    json_add_text(json, object, "ruleId", finding->code);
    json_add_count(json, object, "ruleIndex", site->hazard - 1);
    json_add_text(json, object, "level",
                  site->level == LEVEL_ERROR ? TEXT("error")
                  : matters                  ? TEXT("warning")
                                             : TEXT("note"));
    json_add(json, object, "message", sarif_text(json, report_sentence(json->arena, finding)));
    Value *place = place_value(json, report, finding->file, site->span);
    json_append(locations, location_value(json, place, TEXT("")));
    json_add(json, object, "locations", locations);
    json_add_text(json, prints, "primaryLocationLineHash", finding->fingerprint);
    json_add(json, object, "partialFingerprints", prints);
    json_add(json, object, "codeFlows", flows_value(json, report, finding));
    json_add(json, object, "properties", result_properties(json, finding));
    Value *fixes = fix_sarif(json, report, finding, uri_of);
    if (fixes) json_add(json, object, "fixes", fixes);
    return object;
}

/* ---- the run ---- */

static void append_notification(const Json *json, Value *array, const char *level, Value *locations,
                                Text text) {
    Value *object = json_object(json);
    json_add_text(json, object, "level", text_of(level));
    json_add(json, object, "message", sarif_text(json, text));
    if (locations) json_add(json, object, "locations", locations);
    json_append(array, object);
}

static void append_broken(const Json *json, Value *array, const Report *report, const Broken *broken) {
    Value *locations = json_array(json);
    Span here = {broken->offset, broken->offset};
    json_append(locations, location_value(json, place_value(json, report, broken->file, here), TEXT("")));
    append_notification(json, array, report->options->fail_on_broken ? "error" : "warning", locations,
                        broken_sentence(json->arena, broken));
}

static Value *skipped_locations(const Json *json, const Report *report, Text path) {
    Value *array = json_array(json), *location = json_object(json), *physical = json_object(json),
          *artifact = json_object(json);
    json_add_text(json, artifact, "uri", uri_of(json->arena, report, path));
    json_add(json, physical, "artifactLocation", artifact);
    json_add(json, location, "physicalLocation", physical);
    json_append(array, location);
    return array;
}

static Value *invocations_value(const Json *json, const Report *report) {
    Value *array = json_array(json), *object = json_object(json), *notifications = json_array(json);
    const Program *program = report->analysis->program;
    append_notification(json, notifications, "note", NULL, report_profile_line(json->arena, report));
    for (uint32_t i = 0; i < program->skipped.count; i++) {
        const Skipped *skipped = &program->skipped.items[i];
        append_notification(json, notifications, "note", skipped_locations(json, report, skipped->path),
                            text_format(json->arena, "skipped: %.*s", SHOWN(skipped->reason)));
    }
    for (uint32_t i = 0; i < report->broken.count; i++)
        append_broken(json, notifications, report, &report->broken.items[i]);
    if (report->findings.count > RESULTS_SHOWN)
        append_notification(json, notifications, "note", NULL,
                            text_format(json->arena, "%u cheaper findings are left out",
                                        report->findings.count - RESULTS_SHOWN));
    json_add_bool(json, object, "executionSuccessful", true);
    json_add(json, object, "toolExecutionNotifications", notifications);
    json_append(array, object);
    return array;
}

static Value *run_value(const Json *json, const Report *report) {
    Value *run = json_object(json), *results = json_array(json);
    for (uint32_t i = 0; i < report->findings.count && i < RESULTS_SHOWN; i++)
        json_append(results, result_value(json, report, &report->findings.items[i]));
    json_add(json, run, "tool", tool_value(json, report));
    json_add_text(json, run, "columnKind", TEXT("unicodeCodePoints"));
    json_add(json, run, "invocations", invocations_value(json, report));
    json_add(json, run, "results", results);
    return run;
}

void report_sarif(Output *output, const Report *report) {
    const Json document = json_start(output->arena), *json = &document;
    Value *runs = json_array(json);
    json_append(runs, run_value(json, report));
    json_add_text(json, json->root, "$schema", TEXT("https://json.schemastore.org/sarif-2.1.0.json"));
    json_add_text(json, json->root, "version", TEXT("2.1.0"));
    json_add(json, json->root, "runs", runs);
    json_write(output, json);
}
