#include "price_list.h"
#include "file.h"
#include "json.h"
#include <math.h>
#include <stdio.h>

enum { FORMAT = 1, EXPRESSION_LIMIT = 200, FILE_LIMIT = 1 << 24, BEGIN = 64 };

static const char format_key[] = "syncl_prices";

/* Source without its layout. */
static Text bare(Arena *arena, Text source) {
    char *bytes = arena_alloc(arena, EXPRESSION_LIMIT);
    uint32_t length = 0;
    for (uint32_t i = 0; i < source.length && length < EXPRESSION_LIMIT; i++)
        if (!strchr(" \t\r\n\\", source.bytes[i]) || !source.bytes[i]) bytes[length++] = source.bytes[i];
    return (Text){bytes, length};
}

static Text source_of(Arena *arena, const Program *program, FileId file, Span span) {
    return bare(arena, text_slice(program->files.items[file].bytes, span.start, span.end));
}

/* What lines are known by: file, rule and expression, and a number among equals. */
typedef struct Keys {
    Names names;
    VEC(SiteId) first; /* [key - 1] */
    SiteId *next;      /* [SiteId] the next one of its key */
    uint32_t *numbers; /* [SiteId] */
} Keys;

static Text key_of(Arena *arena, FileId file, Text rule, Text expression) {
    return text_format(arena, "%u %.*s %.*s", file, (int)rule.length, rule.bytes, (int)expression.length,
                       expression.bytes);
}

static Text rule_of(const Rulebook *book, const Site *site) {
    return rulebook_text(book, book->hazards[site->hazard].name);
}

static Keys *keys_of(Arena *arena, const Program *program, const Rulebook *book, const Findings *findings) {
    Keys *keys = arena_new(arena, Keys, 1);
    uint32_t count = findings->sites.count;
    *keys = (Keys){.names = {.arena = arena}, .next = arena_new(arena, SiteId, count + 1)};
    keys->numbers = arena_new(arena, uint32_t, count + 1);
    for (SiteId id = count; id-- > 1;) { /* the last first, so that each list is in order */
        const Site *site = &findings->sites.items[id];
        Text expression = source_of(arena, program, site->file, site->span);
        Sym key = names_intern(&keys->names, key_of(arena, site->file, rule_of(book, site), expression));
        if (key > keys->first.count) vec_push(arena, &keys->first, 0);
        keys->next[id] = keys->first.items[key - 1], keys->first.items[key - 1] = id;
    }
    for (uint32_t key = 0; key < keys->first.count; key++)
        for (SiteId id = keys->first.items[key], number = 0; id; id = keys->next[id])
            keys->numbers[id] = number++;
    return keys;
}

/* ---- writing ---- */

typedef struct Writer {
    Json json;
    Arena *arena;
    const Program *program;
    const Findings *findings;
    const Rulebook *book;
    const Keys *keys;
} Writer;

static Value *wait_value(const Writer *self, const Ledger *ledger, SiteId id) {
    const Site *site = &self->findings->sites.items[id];
    const TracedSite *traced = &ledger->sites[id];
    const Json *json = &self->json;
    Value *object = json_object(json);
    json_add_text(json, object, "file", self->program->files.items[site->file].path);
    json_add_text(json, object, "rule", rule_of(self->book, site));
    json_add_text(json, object, "expression", source_of(self->arena, self->program, site->file, site->span));
    json_add_count(json, object, "number", self->keys->numbers[id]);
    json_add_number(json, object, "per_step", traced->times);
    json_add_number(json, object, "saving_us", traced->saving.us);
    json_add_number(json, object, "low_us", traced->saving.range.low_us);
    json_add_number(json, object, "high_us", traced->saving.range.high_us);
    json_add_number(json, object, "blocked_us", traced->blocked_us);
    json_add_bool(json, object, "in_library", traced->in_library);
    return object;
}

static Value *loop_value(const Writer *self, const Ledger *ledger) {
    const HotLoop *loop = &self->findings->loops.items[ledger->loop];
    const Json *json = &self->json;
    Value *object = json_object(json), *waits = json_array(json);
    json_add_text(json, object, "file", self->program->files.items[loop->file].path);
    json_add_text(json, object, "head", source_of(self->arena, self->program, loop->file, loop->head));
    json_add_count(json, object, "steps", ledger->steps);
    json_add_number(json, object, "step_us", ledger->step_us);
    json_add_number(json, object, "measured_us", ledger->measured_us);
    json_add_number(json, object, "unprofiled_us", ledger->clean_us);
    json_add_number(json, object, "host_us", ledger->host_us);
    json_add_number(json, object, "gpu_us", ledger->gpu_us);
    json_add_number(json, object, "blocked_us", ledger->blocked_us);
    json_add_number(json, object, "saving_us", ledger_saving_all_us(ledger));
    for (SiteId id = 1; id < self->findings->sites.count; id++)
        if (ledger->sites[id].seen) json_append(waits, wait_value(self, ledger, id));
    json_add(json, object, "waits", waits);
    return object;
}

void price_list_write(Output *output, const Program *program, const Rulebook *book, const Findings *findings,
                      const Ledger *first) {
    Arena scratch = {0};
    Writer self = {json_start(&scratch), &scratch, program, findings, book, NULL};
    self.keys = keys_of(&scratch, program, book, findings);
    Value *loops = json_array(&self.json);
    json_add_count(&self.json, self.json.root, format_key, FORMAT);
    for (const Ledger *ledger = first; ledger; ledger = ledger->next)
        if (ledger->loop && !ledger->distrust.length) json_append(loops, loop_value(&self, ledger));
    json_add(&self.json, self.json.root, "loops", loops);
    json_write(output, &self.json);
    arena_free(&scratch);
}

/* ---- reading ---- */

typedef struct Reader {
    Arena *arena, *scratch;
    const LedgerInput *input;
    const char *path;
    Sources *sources;
    const Keys *keys;
} Reader;

bool price_list_is(const char *path) {
    char begin[BEGIN + 1] = "";
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(begin, 1, BEGIN, file) : 0;
    if (file) fclose(file);
    begin[count] = '\0';
    return strstr(begin, format_key) != NULL;
}

static double number_of(yyjson_val *object, const char *key) {
    double number = yyjson_get_num(yyjson_obj_get(object, key));
    return isfinite(number) && number >= 0 ? number : 0;
}

static Text text_in(yyjson_val *object, const char *key) {
    yyjson_val *value = yyjson_obj_get(object, key);
    return (Text){yyjson_is_str(value) ? yyjson_get_str(value) : "", (uint32_t)yyjson_get_len(value)};
}

static SiteId site_of(const Reader *self, yyjson_val *wait) {
    FileId file = sources_file(self->sources, text_in(wait, "file"));
    Sym key = names_find(&self->keys->names,
                         key_of(self->scratch, file, text_in(wait, "rule"), text_in(wait, "expression")));
    SiteId id = key ? self->keys->first.items[key - 1] : 0;
    double number = number_of(wait, "number");
    while (id && self->keys->numbers[id] < number) id = self->keys->next[id];
    return id;
}

static void take_wait(const Reader *self, Ledger *ledger, yyjson_val *wait) {
    SiteId id = site_of(self, wait);
    if (!id) return;
    ledger->sites[id] = (TracedSite){
        .seen = true,
        .in_library = yyjson_get_bool(yyjson_obj_get(wait, "in_library")),
        .times = number_of(wait, "per_step"),
        .saving = {number_of(wait, "saving_us"), {number_of(wait, "low_us"), number_of(wait, "high_us")}},
        .blocked_us = number_of(wait, "blocked_us"),
    };
}

static HotLoopId loop_of(const Reader *self, yyjson_val *object) {
    const Findings *findings = self->input->findings;
    FileId file = sources_file(self->sources, text_in(object, "file"));
    for (HotLoopId id = 1; file && id < findings->loops.count; id++) {
        const HotLoop *loop = &findings->loops.items[id];
        if (loop->file != file) continue;
        Text head = source_of(self->scratch, self->input->program, file, loop->head);
        if (text_equal(head, text_in(object, "head"))) return id;
    }
    return 0;
}

static Ledger *take_loop(const Reader *self, yyjson_val *object) {
    Ledger *ledger = arena_new(self->arena, Ledger, 1);
    yyjson_val *wait, *waits = yyjson_obj_get(object, "waits");
    size_t index, count;
    ledger->listed = ledger->recorded = true;
    ledger->path = text_of(self->path), ledger->loop = loop_of(self, object);
    ledger->steps = (uint32_t)fmin(number_of(object, "steps"), 1e9);
    ledger->how = text_format(self->arena, "%u steps, kept as prices", ledger->steps);
    ledger->step_us = ledger->replayed_us = number_of(object, "step_us");
    ledger->measured_us = number_of(object, "measured_us"),
    ledger->clean_us = number_of(object, "unprofiled_us");
    ledger->host_us = number_of(object, "host_us"), ledger->gpu_us = number_of(object, "gpu_us");
    ledger->blocked_us = number_of(object, "blocked_us"), ledger->listed_us = number_of(object, "saving_us");
    ledger->site_count = self->input->findings->sites.count;
    ledger->sites = arena_new(self->arena, TracedSite, ledger->site_count + 1);
    ledger->waits = arena_new(self->arena, Waits, 1);
    ledger->apart = self->input->profile->trace_apart.median,
    ledger->off = self->input->profile->trace_off.median;
    yyjson_arr_foreach(waits, index, count, wait) take_wait(self, ledger, wait);
    return ledger;
}

static Ledger *take_loops(const Reader *self, yyjson_val *root) {
    Ledger *first = NULL, **at = &first;
    yyjson_val *loop, *loops = yyjson_obj_get(root, "loops");
    size_t index, count;
    if (yyjson_get_sint(yyjson_obj_get(root, format_key)) != FORMAT) return NULL;
    yyjson_arr_foreach(loops, index, count, loop) {
        Ledger *ledger = take_loop(self, loop);
        if (!ledger->loop) continue;
        *at = ledger, at = (Ledger **)&ledger->next;
    }
    return first;
}

Ledger *price_list_read(Arena *arena, const LedgerInput *input, const char *path, Text *error) {
    Arena scratch = {0};
    Text bytes;
    Ledger *first = NULL;
    if (file_read(&scratch, text_of(path), &bytes, error) && bytes.length < FILE_LIMIT) {
        Reader self = {arena, &scratch, input, path, sources_new(&scratch, input->program), NULL};
        yyjson_alc memory = json_memory(&scratch);
        char *text = arena_copy(&scratch, bytes.bytes, bytes.length + 1u);
        yyjson_doc *document = yyjson_read_opts(text, bytes.length, 0, &memory, NULL);
        self.keys = keys_of(&scratch, input->program, input->book, input->findings);
        first = document ? take_loops(&self, yyjson_doc_get_root(document)) : NULL;
        if (!first)
            *error =
                text_format(arena, "%s: %s", path,
                            document ? "holds no prices of a loop of these sources" : "is cut off or broken");
    }
    arena_free(&scratch);
    return first;
}
