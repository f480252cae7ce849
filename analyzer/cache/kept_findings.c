#include "kept_findings.h"

/* ---- the key ---- */

typedef struct Key {
    Arena *scratch;
    VEC(char) bytes;
} Key;

static void add_bytes(Key *key, const void *bytes, size_t length) {
    if (!length) return; /* an empty array may have no address */
    vec_room(key->scratch, &key->bytes, (uint32_t)length);
    memcpy(key->bytes.items + key->bytes.count, bytes, length);
    key->bytes.count += (uint32_t)length;
}

static void add_number(Key *key, uint32_t number) { add_bytes(key, &number, sizeof number); }

static void add_text(Key *key, Text text) {
    add_number(key, text.length);
    add_bytes(key, text.bytes, text.length);
}

static void add_file(Key *key, const Program *whole, const SourceFile *file) {
    Digest digest = digest_of(file->bytes);
    add_bytes(key, &digest, sizeof digest);
    add_number(key, file->gaps.count);
    add_bytes(key, file->gaps.items, sizeof *file->gaps.items * file->gaps.count);
    add_text(key, file->path);
    add_text(key, names_text(&whole->names, file->module));
    add_number(key, file->root_count);
    for (uint32_t i = 0; i < file->root_count; i++) add_text(key, names_text(&whole->names, file->roots[i]));
    add_number(key, (uint32_t)file->is_package | (uint32_t)file->whole << 1 |
                        (uint32_t)file->reaches_torch << 2 | (uint32_t)(file->notebook != NULL) << 3 |
                        (uint32_t)file->installed << 4);
}

/* Independent of order, which depends on the run's other files. */
static Digest digest_of_modules(Arena *scratch, const FindingsAsked *asked) {
    Digest sum = {0};
    for (uint32_t i = 0; i < asked->part->module_count; i++) {
        const ModuleSlot *slot = &asked->part->modules[i];
        Key one = {.scratch = scratch};
        add_text(&one, names_text(&asked->whole->names, slot->root));
        add_text(&one, names_text(&asked->whole->names, slot->name));
        add_text(&one, asked->whole->files.items[slot->file].path);
        Digest digest = digest_of((Text){one.bytes.items, one.bytes.count});
        sum.low += digest.low, sum.high += digest.high;
    }
    return sum;
}

static void add_shapes(Key *key, const FindingsAsked *asked) {
    add_number(key, asked->shape_count);
    for (uint32_t i = 0; i < asked->shape_count; i++) {
        const GivenShape *given = &asked->shapes[i];
        add_text(key, given->name);
        add_number(key, given->rank);
        add_bytes(key, given->dims, sizeof *given->dims * given->rank);
    }
}

Digest kept_findings_key(Arena *scratch, const FindingsAsked *asked) {
    Key key = {.scratch = scratch};
    Digest modules = digest_of_modules(scratch, asked);
    add_bytes(&key, &modules, sizeof modules);
    add_number(&key, asked->told);
    add_shapes(&key, asked);
    add_number(&key, asked->whole->incomplete);
    add_number(&key, asked->part->count);
    for (uint32_t i = 0; i < asked->part->count; i++)
        add_file(&key, asked->whole, &asked->whole->files.items[asked->part->files[i]]);
    return digest_of((Text){key.bytes.items, key.bytes.count});
}

/* ---- the block ---- */

/* A number that must be below `end` when read. */
static uint32_t within(Pack *io, uint32_t value, uint32_t end) {
    uint32_t got = pack_number(io, value);
    if (io->writing || got < end) return got;
    io->broken = true;
    return 0;
}

/* A new array when reading, the given one when writing. */
static void *room(Pack *io, const void *items, uint32_t *count, size_t size) {
    *count = pack_number(io, *count);
    if (!pack_count_holds(io, *count)) *count = 0;
    return io->writing ? arena_copy(io->arena, items, *count * size) : arena_alloc(io->arena, *count * size);
}

/* ---- what has a price ---- */

static void frequency(Pack *io, Frequency *one) {
    one->unit = (Unit)within(io, one->unit, UNIT_EPOCH + 1);
    one->times = pack_real(io, one->times);
    one->every = pack_number(io, one->every);
    one->rank_guarded = pack_byte(io, one->rank_guarded);
    one->whole = pack_byte(io, one->whole), one->gathered = pack_byte(io, one->gathered);
    one->batches = pack_number(io, one->batches);
    one->only = pack_text(io, one->only);
    one->text = pack_text(io, one->text);
}

void kept_site(Pack *io, Site *one) {
    one->confidence = (Confidence)within(io, one->confidence, CONFIDENCE_CERTAIN + 1);
    one->need = (Need)within(io, one->need, NEED_NEEDED + 1);
    one->entry = pack_text(io, one->entry);
    one->waits = pack_real(io, one->waits), one->backward_waits = pack_real(io, one->backward_waits);
    one->copied_bytes_low = pack_real(io, one->copied_bytes_low);
    one->copied_bytes_high = pack_real(io, one->copied_bytes_high);
    one->copy_to_device = pack_byte(io, one->copy_to_device), one->unpriced = pack_byte(io, one->unpriced);
    one->other = pack_byte(io, one->other);
    frequency(io, &one->frequency);
}

static Amount amount(Pack *io, Amount one) {
    Amount got = {.low = pack_real(io, one.low)};
    got.high = pack_real(io, one.high);
    io->broken |= got.high < got.low;
    return got;
}

static void work_part(Pack *io, WorkPart *one) {
    one->kind = (uint8_t)within(io, one->kind, LOAD_RECURRENT + 1);
    one->precision = (uint8_t)within(io, one->precision, PRECISION_OTHER + 1);
    one->tf32 = pack_byte(io, one->tf32);
    one->launches = pack_real(io, one->launches);
    one->flops = amount(io, one->flops), one->bytes = amount(io, one->bytes);
    one->backward_launches = pack_real(io, one->backward_launches);
    one->backward_flops = amount(io, one->backward_flops);
    one->backward_bytes = amount(io, one->backward_bytes);
    one->least = pack_real(io, one->least);
}

void kept_workload(Pack *io, Workload *one) {
    WorkPart *parts = room(io, one->parts, &one->part_count, sizeof *parts);
    for (uint32_t i = 0; i < one->part_count; i++) work_part(io, &parts[i]);
    one->parts = parts;
    one->first = pack_number(io, one->first), one->last = pack_number(io, one->last);
    one->open = pack_byte(io, one->open);
    one->copied = amount(io, one->copied);
    one->tensors = amount(io, one->tensors);
    one->parameters = amount(io, one->parameters);
    one->turns = amount(io, one->turns);
    one->unknown = pack_text(io, one->unknown);
}

void kept_event(Pack *io, Event *one) {
    one->kind = (uint8_t)within(io, one->kind, EVENT_LOOP_END + 1);
    one->share = pack_real(io, one->share), one->count = pack_real(io, one->count);
    if (one->kind == EVENT_HOST)
        one->quantity = pack_text(io, one->quantity);
    else if (one->kind == EVENT_COPY)
        one->bytes_low = pack_real(io, one->bytes_low), one->bytes_high = pack_real(io, one->bytes_high);
    else
        one->backward = pack_real(io, one->backward), one->matmuls = pack_real(io, one->matmuls);
    one->pinned = pack_byte(io, one->pinned), one->to_device = pack_byte(io, one->to_device),
    one->in_process = pack_byte(io, one->in_process);
}

/* ---- where it stands ---- */

typedef struct Block {
    Pack io;
    const FindingsAsked *asked;   /* NULL while writing */
    uint32_t sites, loops;        /* their numbers, including the unused 0 */
    const Workload *given, *made; /* workload of the previous event, as given and as read or copied: many events
                                     share one */
} Block;

static uint32_t limit(const Block *self, uint32_t count) { return self->io.writing ? UINT32_MAX : count; }

static void place(Block *self, FileId *file, Span *span) {
    *file = within(&self->io, *file, limit(self, self->asked ? self->asked->part->count + 1 : 0));
    *span = pack_span(&self->io, *span);
    if (self->io.writing || self->io.broken) return;
    uint32_t bytes =
        *file ? self->asked->whole->files.items[self->asked->part->files[*file - 1]].bytes.length : 0;
    self->io.broken |= span->start > span->end || span->end > bytes;
}

static void reason(Block *self, Reason *one) {
    one->role = (Role)within(&self->io, one->role, ROLE_WAIT + 1);
    one->loop = pack_byte(&self->io, one->loop);
    place(self, &one->file, &one->span);
    one->text = pack_text(&self->io, one->text);
}

static void fix(Block *self, Fix *one) {
    one->remedy = pack_text(&self->io, one->remedy);
    one->title = pack_text(&self->io, one->title);
    one->doubt = pack_text(&self->io, one->doubt);
    FixEdit *edits = room(&self->io, one->edits, &one->edit_count, sizeof *edits);
    for (uint32_t i = 0; i < one->edit_count; i++) {
        place(self, &edits[i].file, &edits[i].span);
        edits[i].text = pack_text(&self->io, edits[i].text);
        edits[i].behind = pack_byte(&self->io, edits[i].behind);
        edits[i].waits = pack_byte(&self->io, edits[i].waits);
    }
    one->edits = edits;
    one->joined = pack_byte(&self->io, one->joined);
    one->sure = pack_byte(&self->io, one->sure);
    FixSpan *with = room(&self->io, one->with, &one->with_count, sizeof *with);
    for (uint32_t i = 0; i < one->with_count; i++) place(self, &with[i].file, &with[i].span);
    one->with = with;
}

static void site(Block *self, Site *one) {
    Pack *io = &self->io;
    const Rulebook *book = self->asked ? self->asked->book : NULL;
    place(self, &one->file, &one->span);
    place(self, &one->file, &one->statement);
    one->rank = pack_number(io, one->rank);
    one->expr = pack_number(io, one->expr); /* the report tests whether it is 0 */
    one->hazard = within(io, one->hazard, limit(self, book ? book->hazard_count : 0));
    one->clause = within(io, one->clause, limit(self, book ? book->clause_count : 0));
    uint32_t high = pack_number(io, (uint32_t)(one->evidence >> 32));
    one->evidence = (Evidence)high << 32 | pack_number(io, (uint32_t)one->evidence);
    one->level = (Level)within(io, one->level, LEVEL_ERROR + 1);
    one->purpose = (uint16_t)within(io, one->purpose, WORD_LIMIT);
    one->loop = within(io, one->loop, limit(self, self->loops));
    kept_site(io, one);
    Reason *reasons = room(&self->io, one->reasons, &one->reason_count, sizeof *reasons);
    for (uint32_t i = 0; i < one->reason_count; i++) reason(self, &reasons[i]);
    one->reasons = reasons;
    HotLoopId *also = room(&self->io, one->also, &one->also_count, sizeof *also);
    for (uint32_t i = 0; i < one->also_count; i++) also[i] = within(io, also[i], limit(self, self->loops));
    one->also = also;
    if (!pack_byte(io, one->fix != NULL)) return;
    Fix *made = arena_new(io->arena, Fix, 1);
    if (io->writing) *made = *one->fix;
    fix(self, made);
    one->fix = made;
}

static void event_workload(Block *self, Event *one) {
    enum { NONE, OWN, SHARED, ENDS };
    Pack *io = &self->io;
    uint32_t has = !one->work ? NONE : one->work == self->given ? SHARED : OWN;
    has = within(io, has, self->made ? ENDS : SHARED);
    if (has == OWN) {
        Workload *made = arena_new(io->arena, Workload, 1);
        if (io->writing) *made = *one->work;
        kept_workload(io, made);
        self->given = one->work, self->made = made;
    }
    one->work = has == NONE ? NULL : self->made;
}

static void event(Block *self, Event *one) {
    kept_event(&self->io, one);
    one->site = within(&self->io, one->site, limit(self, self->sites));
    place(self, &one->file, &one->span);
    event_workload(self, one);
}

static void loop(Block *self, HotLoop *one) {
    Pack *io = &self->io;
    one->unit = (Unit)within(io, one->unit, UNIT_EPOCH + 1);
    place(self, &one->file, &one->head);
    one->name = pack_text(io, one->name);
    Event *events = room(&self->io, one->events, &one->event_count, sizeof *events);
    for (uint32_t i = 0; i < one->event_count && !io->broken; i++) event(self, &events[i]);
    one->events = events;
    one->unseen = pack_number(io, one->unseen);
    one->unseen_text = pack_text(io, one->unseen_text);
}

static void whole(Block *self, Findings *findings) {
    Pack *io = &self->io;
    Site *sites = room(&self->io, findings->sites.items, &findings->sites.count, sizeof *sites);
    HotLoop *loops = room(&self->io, findings->loops.items, &findings->loops.count, sizeof *loops);
    findings->sites.items = sites, findings->sites.capacity = findings->sites.count;
    findings->loops.items = loops, findings->loops.capacity = findings->loops.count;
    self->sites = findings->sites.count, self->loops = findings->loops.count;
    io->broken |= !self->sites || !self->loops;
    for (SiteId id = 1; id < self->sites && !io->broken; id++) site(self, &sites[id]);
    for (HotLoopId id = 1; id < self->loops && !io->broken; id++) loop(self, &loops[id]);
    findings->accelerator = pack_text(io, findings->accelerator);
    findings->given_up = pack_number(io, findings->given_up);
    findings->unknown_receivers = pack_number(io, findings->unknown_receivers);
}

const Findings *kept_findings_find(const Cache *cache, Arena *result, Arena *scratch, Digest key,
                                   const FindingsAsked *asked) {
    Text packed;
    if (!cache_read(cache, scratch, BLOCK_FINDINGS, key, &packed)) return NULL;
    Findings *findings = arena_new(result, Findings, 1);
    Block block = {.io = {.arena = result, .in = packed}, .asked = asked};
    whole(&block, findings);
    if (!block.io.broken && block.io.at == packed.length) return findings;
    cache_remove(cache, BLOCK_FINDINGS, key);
    return NULL;
}

const Findings *kept_findings_copy(Arena *result, const Findings *findings) {
    Block block = {.io = {.arena = result, .writing = true, .copying = true}};
    Findings *copy = arena_copy(result, findings, sizeof *findings);
    whole(&block, copy);
    return copy;
}

uint64_t kept_findings_keep(const Cache *cache, Arena *scratch, Digest key, const Findings *findings) {
    Block block = {.io = {.arena = scratch, .writing = true}};
    Findings same = *findings; /* its arrays are copied as they are written */
    whole(&block, &same);
    if (block.io.broken) return 0;
    return cache_write(cache, BLOCK_FINDINGS, key, (Text){block.io.out.items, block.io.out.count});
}
