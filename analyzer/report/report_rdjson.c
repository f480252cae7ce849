/* reviewdog's diagnostics: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf. Its columns count bytes. */
#include "fix_edits.h"
#include "json.h"
#include "place.h"
#include "report.h"

static Value *position_value(const Json *json, Position position) {
    return json_position(json, position.line, position.column);
}

static Value *location_value(const Json *json, const Report *report, const Finding *finding) {
    Value *location = json_object(json), *range = json_object(json);
    Span span = finding->site->span;
    json_add(json, range, "start", position_value(json, place_bytes(finding->file, span.start)));
    json_add(json, range, "end", position_value(json, place_bytes(finding->file, span.end)));
    json_add_text(json, location, "path",
                  repository_path(json->arena, &report->options->repository, finding->file->path));
    json_add(json, location, "range", range);
    return location;
}

static Value *diagnostic_value(const Json *json, const Report *report, const Finding *finding) {
    Value *object = json_object(json), *code = json_object(json);
    json_add_text(json, code, "value", finding->code);
    json_add_text(json, object, "message", report_sentence(json->arena, finding));
    json_add(json, object, "location", location_value(json, report, finding));
    json_add_text(json, object, "severity",
                  finding->site->level == LEVEL_ERROR     ? TEXT("ERROR")
                  : finding->site->level == LEVEL_WARNING ? TEXT("WARNING")
                                                          : TEXT("INFO"));
    json_add(json, object, "code", code);
    Value *suggestions = fix_suggestions(json, report, finding);
    if (suggestions) json_add(json, object, "suggestions", suggestions);
    return object;
}

static Value *broken_value(const Json *json, const Report *report, const Broken *broken) {
    Value *object = json_object(json), *code = json_object(json), *location = json_object(json),
          *range = json_object(json);
    json_add_text(json, code, "value", TEXT("broken"));
    json_add_text(json, object, "message", broken_sentence(json->arena, broken));
    json_add(json, range, "start", position_value(json, place_bytes(broken->file, broken->offset)));
    json_add_text(json, location, "path",
                  repository_path(json->arena, &report->options->repository, broken->file->path));
    json_add(json, location, "range", range);
    json_add(json, object, "location", location);
    json_add_text(json, object, "severity", report->options->fail_on_broken ? TEXT("ERROR") : TEXT("WARNING"));
    json_add(json, object, "code", code);
    return object;
}

void report_rdjson(Output *output, const Report *report) {
    const Json document = json_start(output->arena), *json = &document;
    Value *source = json_object(json), *diagnostics = json_array(json);
    json_add_text(json, source, "name", TEXT("syncl"));
    for (uint32_t i = 0; i < report->findings.count; i++)
        json_append(diagnostics, diagnostic_value(json, report, &report->findings.items[i]));
    for (uint32_t i = 0; i < report->broken.count; i++)
        json_append(diagnostics, broken_value(json, report, &report->broken.items[i]));
    json_add(json, json->root, "source", source);
    json_add(json, json->root, "diagnostics", diagnostics);
    json_write(output, json);
}
