#include "report.h"
#include "glyph.h"
#include <assert.h>
#include <yyjson.h>

/* The document under construction and what its values need. */
typedef struct Json {
    yyjson_mut_doc *document;
    Arena *arena;
    const Report *report;
} Json;

typedef yyjson_mut_val Value;

/* ---- values ---- */

static Value *text_value(const Json *json, Text text) {
    Text valid = glyph_utf8(json->arena, text);
    return yyjson_mut_strn(json->document, valid.bytes, valid.length);
}

static void add(const Json *json, Value *object, const char *key, Value *value) {
    (void)yyjson_mut_obj_add_val(json->document, object, key, value);
}

static void add_text(const Json *json, Value *object, const char *key, Text text) {
    add(json, object, key, text_value(json, text));
}

static void add_count(const Json *json, Value *object, const char *key, uint32_t count) {
    add(json, object, key, yyjson_mut_uint(json->document, count));
}

static void add_null(const Json *json, Value *object, const char *key) {
    add(json, object, key, yyjson_mut_null(json->document));
}

static Value *number_value(const Json *json, double number) {
    double rounded = report_rounded(number);
    bool whole = rounded >= 0 && rounded < 1e15 && (double)(uint64_t)rounded == rounded;
    return whole ? yyjson_mut_uint(json->document, (uint64_t)rounded)
                 : yyjson_mut_real(json->document, rounded);
}

static void add_number(const Json *json, Value *object, const char *key, double number) {
    add(json, object, key, number_value(json, number));
}

static Value *range_value(const Json *json, CostRange range) {
    Value *object = yyjson_mut_obj(json->document);
    add_number(json, object, "low_us", range.low_us);
    add_number(json, object, "high_us", range.high_us);
    return object;
}

/* ---- findings ---- */

static Value *statement_value(const Json *json, const Finding *finding) {
    Value *object = yyjson_mut_obj(json->document);
    add_count(json, object, "line", finding->statement_line);
    add_count(json, object, "end_line", finding->statement_end_line);
    return object;
}

/* A loop's name within this report: the place of its head, which no two share. */
static Text loop_id(const Json *json, HotLoopId id) {
    const Analysis *analysis = json->report->analysis;
    const HotLoop *loop = &analysis->findings->loops.items[id];
    const SourceFile *file = &analysis->program->files.items[loop->file];
    Position at = model_position(file->model, file->bytes.bytes, loop->head.start);
    return text_format(json->arena, "%.*s:%u:%u", (int)file->path.length, file->path.bytes, at.line, at.column);
}

static Value *loop_value(const Json *json, HotLoopId id) {
    return id ? text_value(json, loop_id(json, id)) : yyjson_mut_null(json->document);
}

static Value *also_value(const Json *json, const Site *site) {
    Value *array = yyjson_mut_arr(json->document);
    for (uint32_t i = 0; i < site->also_count; i++)
        (void)yyjson_mut_arr_append(array, loop_value(json, site->also[i]));
    return array;
}

static Value *reason_value(const Json *json, const Reason *reason) {
    const SourceFile *file = &json->report->analysis->program->files.items[reason->file];
    Value *object = yyjson_mut_obj(json->document);
    add_text(json, object, "file", file->path);
    add_count(json, object, "line", model_line(file->model, reason->span.start));
    add_text(json, object, "text", reason->text);
    add_text(json, object, "role", report_role(reason->role));
    return object;
}

static Value *why_value(const Json *json, const Site *site) {
    Value *array = yyjson_mut_arr(json->document);
    for (uint32_t i = 0; i < site->reason_count; i++)
        (void)yyjson_mut_arr_append(array, reason_value(json, &site->reasons[i]));
    return array;
}

static Value *frequency_value(const Json *json, const Frequency *frequency) {
    Value *object = yyjson_mut_obj(json->document);
    add_text(json, object, "unit", report_unit(frequency->unit));
    if (frequency->times > 0 && frequency->every > 0)
        add_number(json, object, "per_step", frequency->times / frequency->every);
    else
        add_null(json, object, "per_step");
    if (frequency->every > 0)
        add_count(json, object, "every", frequency->every);
    else
        add_null(json, object, "every");
    add_text(json, object, "text", frequency->text);
    return object;
}

static void add_range_or_null(const Json *json, Value *object, bool known, CostRange range) {
    if (known) {
        add_number(json, object, "low_us", range.low_us);
        add_number(json, object, "high_us", range.high_us);
    } else {
        add_null(json, object, "low_us");
        add_null(json, object, "high_us");
    }
}

static Value *cost_value(const Json *json, const SiteCost *cost) {
    Value *object = yyjson_mut_obj(json->document);
    add_text(json, object, "basis", TEXT("static"));
    add(json, object, "per_execution", range_value(json, cost->per_execution));
    add_range_or_null(json, object, cost->has_per_turn, cost->per_turn);
    add_number(json, object, "blocked_us", cost->blocked.high_us);
    add_text(json, object, "text", cost->text);
    return object;
}

static void add_place(const Json *json, Value *object, const Finding *finding) {
    add_text(json, object, "file", finding->file->path);
    add_null(json, object, "cell");
    add_count(json, object, "line", finding->start.line);
    add_count(json, object, "column", finding->start.column);
    add_count(json, object, "end_line", finding->end.line);
    add_count(json, object, "end_column", finding->end.column);
    add(json, object, "statement", statement_value(json, finding));
}

static Value *finding_value(const Json *json, const Finding *finding) {
    const Site *site = finding->site;
    Value *object = yyjson_mut_obj(json->document);
    add_text(json, object, "id", finding->fingerprint);
    add_text(json, object, "rule", finding->rule);
    add_text(json, object, "code", finding->code);
    add_text(json, object, "level", report_level(site->level));
    add_text(json, object, "kind", finding->kind);
    add_text(json, object, "need", report_need(site->need));
    add_text(json, object, "confidence", report_confidence(site->confidence));
    add_place(json, object, finding);
    add_text(json, object, "message", finding->message);
    add_text(json, object, "api", site->entry);
    if (site->waits > 0)
        add_number(json, object, "waits", site->waits);
    else
        add_null(json, object, "waits");
    add(json, object, "loop", loop_value(json, site->loop));
    add(json, object, "also_in", also_value(json, site));
    add(json, object, "why", why_value(json, site));
    add(json, object, "frequency", frequency_value(json, &site->frequency));
    add(json, object, "cost", cost_value(json, finding->cost));
    add_text(json, object, "suggestion", finding->suggestion);
    return object;
}

static Value *findings_value(const Json *json) {
    Value *array = yyjson_mut_arr(json->document);
    for (uint32_t i = 0; i < json->report->findings.count; i++)
        (void)yyjson_mut_arr_append(array, finding_value(json, &json->report->findings.items[i]));
    return array;
}

/* ---- loops ---- */

static Value *ledger_value(const Json *json, HotLoopId id) {
    const Analysis *analysis = json->report->analysis;
    const HotLoop *loop = &analysis->findings->loops.items[id];
    const LoopCost *cost = &analysis->costs->loops[id];
    const SourceFile *file = &analysis->program->files.items[loop->file];
    Value *object = yyjson_mut_obj(json->document), *operations = yyjson_mut_obj(json->document);
    add_text(json, object, "id", loop_id(json, id));
    add_text(json, object, "name", loop->name);
    add_text(json, object, "unit", report_unit(loop->unit));
    add_text(json, object, "file", file->path);
    add_count(json, object, "line", model_line(file->model, loop->head.start));
    add(json, object, "turn", range_value(json, cost->turn));
    add(json, object, "host", range_value(json, cost->host));
    add(json, object, "gpu", range_value(json, cost->gpu));
    add(json, object, "avoidable", range_value(json, cost->avoidable));
    add(json, object, "all", range_value(json, cost->all));
    add_number(json, operations, "low", cost->operations_low);
    add_number(json, operations, "high", cost->operations_high);
    add(json, object, "operations", operations);
    add_count(json, object, "unseen_calls", loop->unseen);
    add_text(json, object, "text", cost->text);
    return object;
}

static Value *loops_value(const Json *json) {
    Value *array = yyjson_mut_arr(json->document);
    for (HotLoopId id = 1; id < json->report->analysis->findings->loops.count; id++)
        (void)yyjson_mut_arr_append(array, ledger_value(json, id));
    return array;
}

/* ---- the rest ---- */

static Value *profile_value(const Json *json) {
    const Profile *profile = json->report->analysis->profile;
    Value *object = yyjson_mut_obj(json->document);
    add_text(json, object, "name", profile->name);
    add_text(json, object, "device", profile->device);
    add_text(json, object, "source", profile->source);
    return object;
}

static Value *skipped_value(const Json *json) {
    const Program *program = json->report->analysis->program;
    Value *array = yyjson_mut_arr(json->document);
    for (uint32_t i = 0; i < program->skipped.count; i++) {
        Value *object = yyjson_mut_obj(json->document);
        add_text(json, object, "file", program->skipped.items[i].path);
        add_text(json, object, "reason", program->skipped.items[i].reason);
        (void)yyjson_mut_arr_append(array, object);
    }
    return array;
}

static Value *summary_value(const Json *json) {
    const Report *report = json->report;
    Value *object = yyjson_mut_obj(json->document);
    add_count(json, object, "files", report->files);
    add_count(json, object, "warnings", report->warnings);
    add_count(json, object, "notes", report->notes);
    add_count(json, object, "skipped", report->analysis->program->skipped.count);
    add_count(json, object, "less_sure", report->unsure);
    add_count(json, object, "deselected", report->deselected);
    add_count(json, object, "suppressed", report->suppressed);
    add_count(json, object, "unknown_receivers", report->analysis->findings->unknown_receivers);
    add(json, object, "failed", yyjson_mut_bool(json->document, report->fails));
    return object;
}

/* `##[` in a string would be read as a command by a workflow's log: the bracket is written as its escape, which
   means the same. It stands nowhere in JSON but inside strings. */
static void write_document(Output *output, Text bytes) {
    for (uint32_t at = 0; at < bytes.length; at++) {
        bool command = at >= 2 && text_starts(text_slice(bytes, at - 2, bytes.length), TEXT("##["));
        if (command)
            output_text(output, "\\u005b");
        else
            output_bytes(output, text_slice(bytes, at, at + 1));
    }
    output_text(output, "\n");
}

static void *allocate(void *arena, size_t bytes) { return arena_alloc(arena, bytes); }
static void *reallocate(void *arena, void *old, size_t old_bytes, size_t bytes) {
    return arena_grow(arena, old, old_bytes, bytes);
}
static void release(void *arena, void *bytes) { (void)arena, (void)bytes; }

void report_json(Output *output, const Report *report) {
    const yyjson_alc memory = {allocate, reallocate, release,
                               output->arena}; /* out of memory ends in the arena */
    Json json = {yyjson_mut_doc_new(&memory), output->arena, report};
    Value *root = yyjson_mut_obj(json.document);
    yyjson_mut_doc_set_root(json.document, root);
    add_count(&json, root, "version", 1);
    add(&json, root, "profile", profile_value(&json));
    add(&json, root, "findings", findings_value(&json));
    add(&json, root, "loops", loops_value(&json));
    add(&json, root, "skipped", skipped_value(&json));
    add(&json, root, "summary", summary_value(&json));
    size_t length = 0;
    /* Only ASCII goes out, so no C1 control and nothing that turns the text around reaches a terminal. */
    yyjson_write_flag flags = YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_ESCAPE_UNICODE;
    const char *bytes = yyjson_mut_write_opts(json.document, flags, &memory, &length, NULL);
    assert(bytes); /* every string is valid UTF-8 and every number finite by now */
    write_document(output, (Text){bytes, (uint32_t)length});
}
