#include "price_list.h"
#include "added.h"
#include "file.h"
#include "json.h"
#include <math.h>
#include <stdio.h>

enum { FORMAT = 1, EXPRESSION_LIMIT = 200, FILE_LIMIT = 1 << 24, BEGIN = 64 };

static const char format_key[] = "syncl_prices";

/* Source text without its layout. */
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

/* Identifies lines by file, rule and expression, and by a number among equal ones. */
typedef struct Keys {
    Names names;
    VEC(SiteId) first; /* [key - 1] */
    SiteId *next;      /* [SiteId]: the next site with the same key */
    uint32_t *numbers; /* [SiteId] */
} Keys;

static Text key_of(Arena *arena, FileId file, Text rule, Text expression) {
    return text_format(arena, "%u %.*s %.*s", file, SHOWN(rule), SHOWN(expression));
}

static Text rule_of(const Rulebook *book, const Site *site) {
    return rulebook_text(book, book->hazards[site->hazard].name);
}

static Keys *keys_of(Arena *arena, const Program *program, const Rulebook *book, const Findings *findings) {
    Keys *keys = arena_new(arena, Keys, 1);
    uint32_t count = findings->sites.count;
    *keys = (Keys){.names = {.arena = arena}, .next = arena_new(arena, SiteId, count + 1)};
    keys->numbers = arena_new(arena, uint32_t, count + 1);
    for (SiteId id = count; id-- > 1;) { /* from the last, so that each list is in order */
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

static void add_key(const Writer *self, Value *object, SiteId id) {
    const Site *site = &self->findings->sites.items[id];
    const Json *json = &self->json;
    json_add_text(json, object, "file", self->program->files.items[site->file].path);
    json_add_text(json, object, "rule", rule_of(self->book, site));
    json_add_text(json, object, "expression", source_of(self->arena, self->program, site->file, site->span));
    json_add_count(json, object, "number", self->keys->numbers[id]);
}

static Value *wait_value(const Writer *self, const Ledger *ledger, SiteId id) {
    const TracedSite *traced = &ledger->sites[id];
    const Json *json = &self->json;
    Value *object = json_object(json);
    add_key(self, object, id);
#define LOOP(key, member)
#define WAIT(key, member) json_add_number(json, object, #key, traced->member);
#include "price_list.def"
    json_add_bool(json, object, "in_library", traced->in_library);
    return object;
}

static bool turns_in(const Site *site, HotLoopId loop) {
    bool turns = site->loop == loop;
    for (uint32_t i = 0; i < site->also_count; i++) turns |= site->also[i] == loop;
    return turns;
}

static Value *unseen_value(const Writer *self, const Ledger *ledger) {
    const Json *json = &self->json;
    Value *array = json_array(json);
    for (SiteId id = 1; id < self->findings->sites.count; id++) {
        const Site *site = &self->findings->sites.items[id];
        if (ledger->sites[id].seen || !turns_in(site, ledger->loop)) continue;
        Value *object = json_object(json);
        add_key(self, object, id);
        json_append(array, object);
    }
    return array;
}

/* names: [number of a site in the replay]: its place among the waits, from 1. */
static Value *turn_value_of(const Writer *self, const Ledger *ledger, const uint32_t *names) {
    const Json *json = &self->json;
    KeptTurn turn = kept_turn_of(self->arena, ledger->clean, names);
    Value *object = json_object(json), *items = json_array(json);
    for (uint32_t i = 0; i < turn.items.count; i++)
        json_append(items, json_text(json, kept_turn_line(self->arena, &turn.items.items[i])));
    json_add_number(json, object, "latency_us", turn.setup.launch_latency_us);
    json_add_number(json, object, "queue", turn.setup.queue_launches);
    json_add(json, object, "items", items);
    return object;
}

static Value *loop_value(const Writer *self, const Ledger *ledger) {
    const HotLoop *loop = &self->findings->loops.items[ledger->loop];
    const Json *json = &self->json;
    Value *object = json_object(json), *waits = json_array(json);
    json_add_text(json, object, "file", self->program->files.items[loop->file].path);
    json_add_text(json, object, "head", source_of(self->arena, self->program, loop->file, loop->head));
    json_add_count(json, object, "steps", ledger->steps);
#define LOOP(key, member) json_add_number(json, object, #key, ledger->member);
#define WAIT(key, member)
#include "price_list.def"
    json_add_number(json, object, "saving_us", ledger_saving_all_us(ledger));
    uint32_t *names = arena_new(self->arena, uint32_t, ledger->local_count + 1), count = 0;
    for (SiteId id = 1; id < self->findings->sites.count; id++) {
        if (!ledger->sites[id].seen) continue;
        json_append(waits, wait_value(self, ledger, id));
        names[ledger->locals ? ledger->locals[id] : 0] = ++count;
    }
    names[0] = 0;
    json_add(json, object, "waits", waits);
    if (!ledger->clean) return object;
    json_add(json, object, "unseen", unseen_value(self, ledger));
    json_add(json, object, "turn", turn_value_of(self, ledger, names));
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
    bool broken;
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
    static const double most = 1e12; /* days, in microseconds; keeps sums finite */
    double number = yyjson_get_num(yyjson_obj_get(object, key));
    return number >= 0 && number <= most ? number : 0;
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

static SiteId take_wait(Reader *self, Ledger *ledger, yyjson_val *wait) {
    SiteId id = site_of(self, wait);
    TracedSite traced = {.seen = true, .in_library = yyjson_get_bool(yyjson_obj_get(wait, "in_library"))};
#define LOOP(key, member)
#define WAIT(key, member) traced.member = number_of(wait, #key);
#include "price_list.def"
    self->broken |= traced.saving.range.low_us > traced.saving.range.high_us;
    if (id) ledger->sites[id] = traced;
    return id;
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

/* ---- the kept step ---- */

static bool take_items(const Reader *self, yyjson_val *object, uint32_t waits, KeptTurn *turn) {
    yyjson_val *item, *items = yyjson_obj_get(object, "items");
    size_t index, count;
    *turn = (KeptTurn){.setup = {.threads = 1, .streams = 1, .events = 1}};
    turn->setup.launch_latency_us = number_of(object, "latency_us");
    turn->setup.queue_launches = number_of(object, "queue");
    yyjson_arr_foreach(items, index, count, item) {
        Text line = {yyjson_get_str(item), (uint32_t)yyjson_get_len(item)};
        if (!yyjson_is_str(item) || !kept_turn_take(self->arena, turn, line, waits)) return false;
    }
    return turn->items.count > 0;
}

static double turn_us(const Reader *self, const KeptTurn *turn, uint32_t sites, const bool *removed) {
    TimelineSetup setup = turn->setup;
    setup.sites = sites;
    Replay *replay = replay_of(self->scratch, (ReplayStep){turn->items.items, turn->items.count}, &setup);
    return replay_step(replay, removed).turn_us;
}

/* Scales the step to the recorded time, and the saving of all its waits to what all bursts gave. */
static bool fit(const Reader *self, Ledger *ledger, const KeptTurn *turn, uint32_t waits) {
    static const double most = 2;
    bool *all = arena_new(self->scratch, bool, waits + 1);
    for (uint32_t i = 1; i <= waits; i++) all[i] = true;
    double step_us = turn_us(self, turn, waits + 1, NULL);
    double saved_us = step_us - turn_us(self, turn, waits + 1, all);
    if (step_us <= 0 || ledger->clean_us <= 0) return false;
    ledger->scale = ledger->clean_us / step_us;
    double share = saved_us > 0 && ledger->listed_us > 0 ? ledger->listed_us / (saved_us * ledger->scale) : 1;
    ledger->listed_share = fmin(fmax(share, 1 / most), most);
    return true;
}

/* Lines that are no longer in the source cost nothing. */
static void drop_gone(KeptTurn *turn, const bool *here) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < turn->items.count; i++)
        if (here[turn->items.items[i].site]) turn->items.items[kept++] = turn->items.items[i];
    turn->items.count = kept;
}

static bool *fresh_sites(const Reader *self, const Ledger *ledger, yyjson_val *unseen) {
    const Findings *findings = self->input->findings;
    bool *fresh = arena_new(self->scratch, bool, findings->sites.count + 1);
    yyjson_val *one;
    size_t index, count;
    for (SiteId id = 1; unseen && id < findings->sites.count; id++) {
        const Site *site = &findings->sites.items[id];
        bool told = site->confidence >= CONFIDENCE_LIKELY && !site->unpriced && !site->frequency.only.length;
        fresh[id] = told && !ledger->locals[id] && turns_in(site, ledger->loop);
    }
    yyjson_arr_foreach(unseen, index, count, one) fresh[site_of(self, one)] = false;
    return fresh;
}

/* An added wait saves as much as the step is shorter without it; one that runs in some steps only, that
   fraction. */
static void price_added(Ledger *ledger, const AddedSites *added) {
    Arena scratch = {0};
    bool *removed = arena_new(&scratch, bool, ledger->local_count + 1);
    for (uint32_t i = 0; i < added->count; i++) {
        const AddedSite *one = &added->items[i];
        removed[one->number] = true;
        double us = ledger->clean_us - ledger->scale * replay_step(ledger->clean, removed).turn_us;
        removed[one->number] = false;
        Saving saving = {.us = one->share * fmax(us, 0), .off_us = one->share * one->off_us};
        ledger->sites[one->site] = (TracedSite){.seen = true,
                                                .added = true,
                                                .times = one->times * one->share,
                                                .saving = ledger_average(ledger, &saving, 1)};
    }
    arena_free(&scratch);
}

static bool take_turn(const Reader *self, Ledger *ledger, yyjson_val *object, uint32_t waits,
                      const bool *here) {
    KeptTurn turn;
    if (!take_items(self, yyjson_obj_get(object, "turn"), waits, &turn)) return false;
    if (!fit(self, ledger, &turn, waits)) return false;
    AddedInput input = {self->input->findings, self->input->profile, ledger->loop,
                        fresh_sites(self, ledger, yyjson_obj_get(object, "unseen")), waits + 1};
    AddedSites added = {0};
    drop_gone(&turn, here);
    if (turn.items.count) added = added_put(self->arena, &input, &turn, ledger->locals);
    ledger->local_count = waits + added.count;
    turn.setup.sites = ledger->local_count + 1;
    ledger->clean = replay_of(self->arena, (ReplayStep){turn.items.items, turn.items.count}, &turn.setup);
    ledger->clean_us = ledger->scale * replay_step(ledger->clean, NULL).turn_us;
    price_added(ledger, &added);
    return true;
}

static Ledger *take_loop(Reader *self, yyjson_val *object) {
    Ledger *ledger = arena_new(self->arena, Ledger, 1);
    yyjson_val *wait, *waits = yyjson_obj_get(object, "waits");
    size_t index, count;
    bool *here = arena_new(self->scratch, bool, yyjson_arr_size(waits) + 1);
    ledger->listed = ledger->recorded = true;
    ledger->path = text_of(self->path), ledger->loop = loop_of(self, object);
    ledger->steps = (uint32_t)fmin(number_of(object, "steps"), 1e9);
    ledger->how = text_format(self->arena, "%u steps, kept as prices", ledger->steps);
#define LOOP(key, member) ledger->member = number_of(object, #key);
#define WAIT(key, member)
#include "price_list.def"
    ledger->replayed_us = ledger->step_us, ledger->listed_us = number_of(object, "saving_us");
    ledger->site_count = self->input->findings->sites.count;
    ledger->sites = arena_new(self->arena, TracedSite, ledger->site_count + 1);
    ledger->locals = arena_new(self->arena, uint32_t, ledger->site_count + 1);
    ledger->waits = arena_new(self->arena, Waits, 1);
    ledger->apart = self->input->profile->trace_apart.median,
    ledger->off = self->input->profile->trace_off.median;
    here[0] = true;
    yyjson_arr_foreach(waits, index, count, wait) {
        SiteId id = take_wait(self, ledger, wait);
        if (id) ledger->locals[id] = (uint32_t)index + 1, here[index + 1] = true;
    }
    bool kept = yyjson_obj_get(object, "turn") && ledger->loop;
    if (kept && !take_turn(self, ledger, object, (uint32_t)yyjson_arr_size(waits), here)) self->broken = true;
    return ledger;
}

static Ledger *take_loops(Reader *self, yyjson_val *root) {
    Ledger *first = NULL, **at = &first;
    yyjson_val *loop, *loops = yyjson_obj_get(root, "loops");
    size_t index, count;
    if (yyjson_get_sint(yyjson_obj_get(root, format_key)) != FORMAT) return NULL;
    yyjson_arr_foreach(loops, index, count, loop) {
        Ledger *ledger = take_loop(self, loop);
        if (!ledger->loop) continue;
        *at = ledger, at = (Ledger **)&ledger->next;
    }
    return self->broken ? NULL : first;
}

Ledger *price_list_read(Arena *arena, const LedgerInput *input, const char *path, Text *error) {
    Arena scratch = {0};
    Text bytes;
    Ledger *first = NULL;
    if (file_read(&scratch, text_of(path), &bytes, error) && bytes.length < FILE_LIMIT) {
        Reader self = {arena, &scratch, input, path, sources_new(&scratch, input->program), NULL, false};
        yyjson_alc memory = json_memory(&scratch);
        char *text = arena_copy(&scratch, bytes.bytes, bytes.length + 1u);
        yyjson_doc *document = yyjson_read_opts(text, bytes.length, 0, &memory, NULL);
        self.keys = keys_of(&scratch, input->program, input->book, input->findings);
        first = document ? take_loops(&self, yyjson_doc_get_root(document)) : NULL;
        if (!first)
            *error = text_format(arena, "%s: %s", path,
                                 document && !self.broken ? "holds no prices of a loop of these sources"
                                                          : "is cut off or broken");
    }
    arena_free(&scratch);
    return first;
}
