/* GitLab's Code Quality report: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
#include "json.h"
#include "report.h"

static Text severity(const Finding *finding) {
    if (finding->site->level == LEVEL_ERROR) return TEXT("critical");
    if (finding->cost->about_zero) return TEXT("info");
    return finding->site->level == LEVEL_WARNING ? TEXT("major") : TEXT("minor");
}

static Value *position_value(const Json *json, Position position) {
    return json_position(json, position.line, position.column);
}

static Value *location_value(const Json *json, const Report *report, const Finding *finding) {
    Value *location = json_object(json), *positions = json_object(json);
    json_add(json, positions, "begin", position_value(json, finding->raw_start));
    json_add(json, positions, "end", position_value(json, finding->raw_end));
    json_add_text(json, location, "path",
                  repository_path(json->arena, &report->options->repository, finding->file->path));
    json_add(json, location, "positions", positions);
    return location;
}

/* Its fingerprint is the file's, as a file has one entry. */
static Value *broken_value(const Json *json, const Report *report, const Broken *broken) {
    Value *object = json_object(json), *location = json_object(json), *positions = json_object(json);
    Text path = repository_path(json->arena, &report->options->repository, broken->file->path);
    Text key = text_format(json->arena, "broken %.*s", SHOWN(path));
    json_add_text(json, object, "check_name", TEXT("broken"));
    json_add_text(json, object, "description", broken_sentence(json->arena, broken));
    json_add_text(json, object, "severity", report->options->fail_on_broken ? TEXT("blocker") : TEXT("major"));
    json_add_text(json, object, "fingerprint",
                  text_format(json->arena, "%016llx", (unsigned long long)text_hash(key)));
    json_add(json, positions, "begin", position_value(json, broken->raw));
    json_add(json, positions, "end", position_value(json, broken->raw));
    json_add_text(json, location, "path", path);
    json_add(json, location, "positions", positions);
    json_add(json, object, "location", location);
    return object;
}

void report_gitlab(Output *output, const Report *report) {
    Json document = json_start(output->arena), *json = &document;
    json_root(json, json_array(json));
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        Value *object = json_object(json);
        json_add_text(json, object, "check_name", finding->code);
        json_add_text(json, object, "description", report_sentence(json->arena, finding));
        json_add_text(json, object, "severity", severity(finding));
        json_add_text(json, object, "fingerprint", finding->fingerprint);
        json_add(json, object, "location", location_value(json, report, finding));
        json_append(json->root, object);
    }
    for (uint32_t i = 0; i < report->broken.count; i++)
        json_append(json->root, broken_value(json, report, &report->broken.items[i]));
    json_write(output, json);
}
