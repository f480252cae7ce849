#include "fix_edits.h"
#include "place.h"

static const SourceFile *file_of(const Report *report, const FixEdit *edit) {
    return &report->analysis->program->files.items[edit->file];
}

static Text applicability(const Fix *fix) { return fix->doubt.length ? TEXT("unsafe") : TEXT("safe"); }

/* ---- our own JSON ---- */

static Value *shown_value(const Json *json, const SourceFile *file, uint32_t offset) {
    Place place = place_shown(file, offset);
    return json_position(json, place.line, place.column);
}

static Value *edit_value(const Json *json, const Report *report, const FixEdit *edit) {
    const SourceFile *file = file_of(report, edit);
    uint32_t cell = place_shown(file, edit->span.start).cell;
    Value *object = json_object(json);
    json_add_text(json, object, "file", file->path);
    if (cell)
        json_add_count(json, object, "cell", cell);
    else
        json_add_null(json, object, "cell");
    json_add(json, object, "start", shown_value(json, file, edit->span.start));
    json_add(json, object, "end", shown_value(json, file, edit->span.end));
    json_add_text(json, object, "text", edit->text);
    return object;
}

Value *fix_value(const Json *json, const Report *report, const Finding *finding) {
    const Fix *fix = finding->site->fix;
    if (!fix) return yyjson_mut_null(json->document);
    Value *object = json_object(json), *edits = json_array(json);
    for (uint32_t i = 0; i < fix->edit_count; i++) json_append(edits, edit_value(json, report, &fix->edits[i]));
    json_add_text(json, object, "applicability", applicability(fix));
    json_add_bool(json, object, "gains", report_gains(report, finding));
    json_add_text(json, object, "remedy", fix->remedy);
    json_add_text(json, object, "title", fix->title);
    if (fix->doubt.length)
        json_add_text(json, object, "doubt", fix->doubt);
    else
        json_add_null(json, object, "doubt");
    json_add(json, object, "edits", edits);
    return object;
}

/* ---- SARIF ---- */

Value *sarif_text(const Json *json, Text text) {
    Value *object = json_object(json);
    json_add_text(json, object, "text", text);
    return object;
}

Value *sarif_region(const Json *json, const SourceFile *file, Span span) {
    Position start = place_physical(file, span.start), end = place_physical(file, span.end);
    Value *region = json_object(json);
    json_add_count(json, region, "startLine", start.line);
    json_add_count(json, region, "startColumn", start.column);
    json_add_count(json, region, "endLine", end.line);
    json_add_count(json, region, "endColumn", end.column);
    return region;
}

static Value *replacement_value(const Json *json, const SourceFile *file, const FixEdit *edit) {
    Value *object = json_object(json);
    json_add(json, object, "deletedRegion", sarif_region(json, file, edit->span));
    json_add(json, object, "insertedContent", sarif_text(json, edit->text));
    return object;
}

Value *fix_sarif(const Json *json, const Report *report, const Finding *finding,
                 Text (*uri)(Arena *arena, const Report *report, Text path)) {
    const Fix *fix = finding->site->fix;
    if (!fix || finding->file->notebook || !report_gains(report, finding)) return NULL;
    Value *fixes = json_array(json), *object = json_object(json), *changes = json_array(json);
    for (uint32_t i = 0; i < fix->edit_count;) {
        FileId id = fix->edits[i].file;
        const SourceFile *file = file_of(report, &fix->edits[i]);
        Value *change = json_object(json), *artifact = json_object(json), *replacements = json_array(json);
        for (; i < fix->edit_count && fix->edits[i].file == id; i++)
            json_append(replacements, replacement_value(json, file, &fix->edits[i]));
        json_add_text(json, artifact, "uri", uri(json->arena, report, file->path));
        json_add(json, change, "artifactLocation", artifact);
        json_add(json, change, "replacements", replacements);
        json_append(changes, change);
    }
    Text words = !fix->doubt.length
                     ? fix->title
                     : text_format(json->arena, "%.*s Unsafe: %.*s.", SHOWN(fix->title), SHOWN(fix->doubt));
    json_add(json, object, "description", sarif_text(json, words));
    json_add(json, object, "artifactChanges", changes);
    json_append(fixes, object);
    return fixes;
}

/* ---- rdjson ---- */

static Value *position_value(const Json *json, Position position) {
    return json_position(json, position.line, position.column);
}

Value *fix_suggestions(const Json *json, const Report *report, const Finding *finding) {
    const Fix *fix = finding->site->fix;
    if (!fix || fix->edit_count != 1 || fix->doubt.length || finding->file->notebook) return NULL;
    if (!report_gains(report, finding)) return NULL;
    const FixEdit *edit = &fix->edits[0];
    if (file_of(report, edit) != finding->file) return NULL;
    Value *array = json_array(json), *object = json_object(json), *range = json_object(json);
    json_add(json, range, "start", position_value(json, place_bytes(finding->file, edit->span.start)));
    json_add(json, range, "end", position_value(json, place_bytes(finding->file, edit->span.end)));
    json_add(json, object, "range", range);
    json_add_text(json, object, "text", edit->text);
    json_append(array, object);
    return array;
}
