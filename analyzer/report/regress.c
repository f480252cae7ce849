#include "regress.h"
#include <stdlib.h>

/* A site where it was before: in a change, or at a byte of the file. */
typedef struct Spot {
    Text path;
    uint32_t change; /* its number + 1 */
    uint32_t place;
    HazardId hazard;
    Confidence confidence;
    Level level;
    uint32_t target; /* index of the fix that should mend it + 1 */
    HotLoopId loop;
    bool may_go; /* a fix of another place says that it does */
    bool gone;   /* matched: it is there still */
} Spot;

typedef struct Spots {
    VEC(Spot) items;
    VEC(Text)
    loops; /* in which something is read or sent now that was so in each turn of a loop in them: dearer a turn, and cheaper */
} Spots;

static int by_key(const void *left, const void *right) {
    const Spot *a = left, *b = right;
    int path = text_compare(a->path, b->path);
    if (path) return path;
    if (a->change != b->change) return a->change < b->change ? -1 : 1;
    if (a->place != b->place) return a->place < b->place ? -1 : 1;
    if (a->hazard != b->hazard) return a->hazard < b->hazard ? -1 : 1;
    return 0;
}

static int by_key_and_target(const void *left, const void *right) {
    const Spot *a = left, *b = right;
    int order = by_key(left, right);
    return order ? order : (a->target > b->target) - (a->target < b->target);
}

static const MendedFile *file_at(const Regress *asked, Text path) {
    for (uint32_t i = 0; i < asked->file_count; i++)
        if (text_equal(asked->files[i].edit.file->path, path)) return &asked->files[i];
    return NULL;
}

/* Where a byte of the file as it is now was before the changes; made: in what one of them wrote. */
static void settle(const MendedFile *file, uint32_t at, bool after, Spot *spot) {
    int64_t shift = 0;
    spot->place = at;
    for (uint32_t i = 0; file && i < file->changes.count; i++) {
        const Change *change = &file->changes.items[i].change;
        int64_t start = change->start + (after ? shift : 0);
        int64_t end = after ? start + change->text.length : change->end;
        if (at < start) break;
        if (at < end) {
            spot->change = i + 1;
            spot->place = 0;
            return;
        }
        shift += (int64_t)change->text.length - (change->end - change->start);
    }
    if (after) spot->place = (uint32_t)(at - shift);
}

static uint32_t target_of(const ChosenFixes *chosen, SiteId site) {
    for (uint32_t i = 0; i < chosen->count; i++)
        if (fix_is_tried(&chosen->items[i]) && chosen->items[i].finding->id == site) return i + 1;
    return 0;
}

static bool may_go(const ChosenFixes *chosen, const Site *site) {
    for (uint32_t i = 0; i < chosen->count; i++)
        for (uint32_t k = 0; fix_is_tried(&chosen->items[i]) && k < chosen->items[i].fix->with_count; k++) {
            const FixSpan *with = &chosen->items[i].fix->with[k];
            bool inside = site->span.start >= with->span.start && site->span.end <= with->span.end;
            if (with->file == site->file && inside) return true;
        }
    return false;
}

static void collect(const Regress *asked, const Analysis *analysis, bool after, Spots *spots) {
    for (SiteId id = 1; id < analysis->findings->sites.count; id++) {
        const Site *site = &analysis->findings->sites.items[id];
        const SourceFile *file = &analysis->program->files.items[site->file];
        Spot spot = {.path = file->path,
                     .hazard = site->hazard,
                     .confidence = site->confidence,
                     .level = site->level,
                     .loop = site->loop};
        settle(file_at(asked, file->path), site->span.start, after, &spot);
        if (!after) spot.target = target_of(asked->chosen, id), spot.may_go = may_go(asked->chosen, site);
        vec_push(asked->arena, &spots->items, spot);
    }
    if (spots->items.count)
        qsort(spots->items.items, spots->items.count, sizeof *spots->items.items, by_key_and_target);
}

static const FixEdit *edit_of(const Fix *fix, const Change *change) {
    for (uint32_t i = 0; i < fix->edit_count; i++)
        if (fix->edits[i].text.bytes == change->text.bytes) return &fix->edits[i];
    return NULL;
}

/* What the fix writes behind the loop. */
static bool is_behind(const Fix *fix, const Change *change) {
    const FixEdit *edit = edit_of(fix, change);
    return edit && edit->behind;
}

/* Where the fix says that one wait stands for several. */
static bool stands_for(const Regress *asked, const Spot *spot) {
    const MendedFile *file = spot->change ? file_at(asked, spot->path) : NULL;
    if (!file) return false;
    const OwnedChange *change = &file->changes.items[spot->change - 1];
    const FixEdit *edit = edit_of(asked->chosen->items[change->owner].fix, &change->change);
    return edit && edit->waits;
}

/* The value is read less often, where the fix says it is used. */
static bool has_moved(const Regress *asked, const Spot *spot) {
    const MendedFile *file = spot->change ? file_at(asked, spot->path) : NULL;
    if (!file) return false;
    const OwnedChange *change = &file->changes.items[spot->change - 1];
    const ChosenFix *owner = &asked->chosen->items[change->owner];
    bool seldom = spot->level == LEVEL_NOTE && owner->finding->site->level > spot->level;
    if (owner->finding->site->hazard != spot->hazard) return seldom; /* `if t:` is one, `bool(t)` another */
    return seldom || is_behind(owner->fix, &change->change);
}

/* It is in what a fix wrote: that one did it. */
static bool blame(const Regress *asked, const Spot *spot) {
    const MendedFile *file = spot->change ? file_at(asked, spot->path) : NULL;
    if (file) asked->chosen->items[file->changes.items[spot->change - 1].owner].refused = true;
    return file != NULL;
}

static void put_off_half(const Regress *asked) {
    uint32_t tried = 0, kept = 0;
    for (uint32_t i = 0; i < asked->chosen->count; i++) tried += fix_is_tried(&asked->chosen->items[i]);
    for (uint32_t i = 0; i < asked->chosen->count; i++) {
        ChosenFix *fix = &asked->chosen->items[i];
        if (!fix_is_tried(fix)) continue;
        if (tried == 1) fix->refused = true;
        if (kept++ >= tried / 2) fix->put_off = true;
    }
}

/* One of before that is the same; what was to stay before what was to go. */
static bool match(const Regress *asked, Spots *before, const Spot *spot, bool *blamed) {
    uint32_t low = 0, high = before->items.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (by_key(&before->items.items[middle], spot) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < before->items.count && by_key(&before->items.items[low], spot) == 0; low++) {
        Spot *was = &before->items.items[low];
        if (was->gone) continue;
        was->gone = true;
        bool seldom = spot->level < was->level; /* print(t) below `if i % 100 == 0:` */
        if (was->target && !seldom) *blamed = asked->chosen->items[was->target - 1].refused = true;
        bool shows = spot->confidence >= asked->least && was->confidence < asked->least;
        return (!was->target || seldom) && !shows && spot->level <= was->level;
    }
    return false;
}

static bool is_named(const Spots *spots, Text name) {
    for (uint32_t i = 0; i < spots->loops.count; i++)
        if (text_equal(spots->loops.items[i], name)) return true;
    return false;
}

/* Loops of that name, in all files: what their waits cost a turn, and how long a turn takes. */
typedef struct Price {
    double waits_us, turn_us;
} Price;

static Price price(const Analysis *analysis, const Spots *after) {
    Price all = {0};
    for (HotLoopId id = 1; id < analysis->findings->loops.count; id++) {
        if (is_named(after, analysis->findings->loops.items[id].name)) continue;
        all.waits_us += report_middle(analysis->costs->loops[id].all);
        all.turn_us += report_middle(analysis->costs->loops[id].turn);
    }
    return all;
}

/* A kernel that a fix adds stands behind other waits too, so these may cost a little more while the turn takes no longer. */
static bool grew(const Regress *asked, const Spots *spots) {
    static const double noise_us = 0.5, noise = 0.05;
    Price before = price(asked->before, spots), after = price(asked->after, spots);
    return after.turn_us > before.turn_us + noise_us ||
           after.waits_us > before.waits_us * (1 + noise) + noise_us;
}

/* No loop of before that had a price: a wait in it is all that gives it one. */
static bool is_new_loop(const Regress *asked, Text name) {
    const Findings *before = asked->before->findings;
    for (HotLoopId id = 1; id < before->loops.count; id++)
        if (text_equal(before->loops.items[id].name, name)) return false;
    return true;
}

/* What is there now and was not; what was there and is not, or is of a target that stayed. */
static bool differs(const Regress *asked, Spots *before, Spots *after, bool *blamed) {
    bool any = false;
    for (uint32_t i = 0; i < after->items.count; i++) {
        const Spot *spot = &after->items.items[i];
        if (match(asked, before, spot, blamed)) continue;
        Text loop = asked->after->findings->loops.items[spot->loop].name;
        bool stands = stands_for(asked, spot);
        if (stands ? is_new_loop(asked, loop) : has_moved(asked, spot)) {
            vec_push(asked->arena, &after->loops, loop);
            continue;
        }
        if (stands) continue;
        *blamed |= blame(asked, spot);
        any = true;
    }
    for (uint32_t i = 0; i < before->items.count; i++) {
        const Spot *was = &before->items.items[i];
        any |= !was->gone && !was->target && !was->change && !was->may_go;
    }
    return any;
}

bool regress_none(const Regress *asked) {
    Spots before = {0}, after = {0};
    bool blamed = false;
    collect(asked, asked->before, false, &before);
    collect(asked, asked->after, true, &after);
    bool any = differs(asked, &before, &after, &blamed);
    if (!any && !grew(asked, &after)) {
        for (uint32_t i = 0; i < before.items.count; i++)
            *asked->with += !before.items.items[i].gone && !before.items.items[i].target;
        return true;
    }
    if (!blamed) put_off_half(asked);
    return false;
}
