#include "regress.h"
#include "search.h"
#include <stdlib.h>

/* Where a site was before the edits: inside a change, or at a byte of the file. */
typedef struct Spot {
    Text path;
    uint32_t change; /* number of the change + 1 */
    uint32_t place;
    HazardId hazard;
    Confidence confidence;
    Level level;
    uint32_t target; /* index + 1 of the fix that should remove it */
    HotLoopId loop;
    bool may_go; /* a fix elsewhere says that it removes this wait too */
    bool gone;   /* matched: it still exists */
} Spot;

typedef struct Spots {
    VEC(Spot) items;
    VEC(Text)
    loops; /* where a read or copy now is that each iteration of an inner loop made: they cost more, the inner less */
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

/* Maps a byte of the edited file to the original; made: it is inside text that a change wrote. */
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

/* The change writes code after a loop. */
static bool is_behind(const Fix *fix, const Change *change) {
    const FixEdit *edit = edit_of(fix, change);
    return edit && edit->behind;
}

/* A place where the fix says that one wait replaces several. */
static bool stands_for(const Regress *asked, const Spot *spot) {
    const MendedFile *file = spot->change ? file_at(asked, spot->path) : NULL;
    if (!file) return false;
    const OwnedChange *change = &file->changes.items[spot->change - 1];
    const FixEdit *edit = edit_of(asked->chosen->items[change->owner].fix, &change->change);
    return edit && edit->waits;
}

/* The value is read less often, where the fix says that it is used. */
static bool has_moved(const Regress *asked, const Spot *spot) {
    const MendedFile *file = spot->change ? file_at(asked, spot->path) : NULL;
    if (!file) return false;
    const OwnedChange *change = &file->changes.items[spot->change - 1];
    const ChosenFix *owner = &asked->chosen->items[change->owner];
    bool seldom = spot->level == LEVEL_NOTE && owner->finding->site->level > spot->level;
    /* `if t:` and `bool(t)` are of different hazards */
    if (owner->finding->site->hazard != spot->hazard) return seldom;
    return seldom || is_behind(owner->fix, &change->change);
}

/* The site is in text that a fix wrote: refuses that fix. */
static bool blame(const Regress *asked, const Spot *spot) {
    const MendedFile *file = spot->change ? file_at(asked, spot->path) : NULL;
    if (file) asked->chosen->items[file->changes.items[spot->change - 1].owner].refused = true;
    return file != NULL;
}

/* ---- which of them to leave out ---- */

typedef VEC(Text) Paths;

static bool is_among(const Paths *paths, Text path) {
    for (uint32_t i = 0; i < paths->count; i++)
        if (text_equal(paths->items[i], path)) return true;
    return false;
}

static bool touches(const Regress *asked, const ChosenFix *chosen, Text path) {
    const SourceFile *files = asked->before->program->files.items;
    bool touches = text_equal(chosen->finding->file->path, path);
    for (uint32_t i = 0; i < chosen->fix->edit_count && !touches; i++)
        touches = text_equal(files[chosen->fix->edits[i].file].path, path);
    return touches;
}

/* Puts off half of the tried fixes that change the file, or of all where `path` is empty. A single one is
   refused. False: no fix is tried there. */
static bool put_off_half(const Regress *asked, Text path) {
    uint32_t tried = 0, kept = 0;
    for (uint32_t i = 0; i < asked->chosen->count; i++) {
        const ChosenFix *fix = &asked->chosen->items[i];
        tried += fix_is_tried(fix) && (!path.length || touches(asked, fix, path));
    }
    for (uint32_t i = 0, half = tried / 2; i < asked->chosen->count; i++) {
        ChosenFix *fix = &asked->chosen->items[i];
        if (!fix_is_tried(fix) || (path.length && !touches(asked, fix, path))) continue;
        if (tried == 1) fix->refused = true;
        if (kept++ >= half) fix->put_off = true;
    }
    return tried > 0;
}

/* Halves the fixes of each file in which something is worse; if none of them changes such a file, halves all
   fixes. */
static void put_off(const Regress *asked, const Paths *worse) {
    bool any = false;
    for (uint32_t i = 0; i < worse->count; i++) any |= put_off_half(asked, worse->items[i]);
    if (!any) (void)put_off_half(asked, (Text){0});
}

/* Finds an equal site from before; those that should stay are tried first. */
static bool match(const Regress *asked, Spots *before, const Spot *spot, bool *blamed) {
    uint32_t low = 0, high = before->items.count;
    LOWER_BOUND(low, high, by_key(&before->items.items[middle], spot) < 0);
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

/* The waits of a loop per iteration and the iteration's time, us, now and before; then summed over the file's loops. */
typedef struct Price {
    Text path;
    double waits_us, turn_us; /* now */
    double waits_before_us, turn_before_us;
} Price;

typedef VEC(Price) Prices;

static void add_prices(const Regress *asked, const Analysis *analysis, const Spots *after, bool now,
                       Prices *all) {
    for (HotLoopId id = 1; id < analysis->findings->loops.count; id++) {
        const HotLoop *loop = &analysis->findings->loops.items[id];
        if (is_named(after, loop->name)) continue;
        double waits = report_middle(analysis->costs->loops[id].all),
               turn = report_middle(analysis->costs->loops[id].turn);
        Text path = analysis->program->files.items[loop->file].path;
        vec_push(asked->arena, all,
                 (now ? (Price){path, waits, turn, 0, 0} : (Price){path, 0, 0, waits, turn}));
    }
}

/* A kernel that a fix adds also runs before other waits, so these may cost a little more, if the iteration
   takes no longer. */
static bool is_dearer(const Price *file) {
    static const double noise_us = 0.5, noise = 0.05;
    return file->turn_us > file->turn_before_us + noise_us ||
           file->waits_us > file->waits_before_us * (1 + noise) + noise_us;
}

/* The files whose loops cost more than before. */
static void find_dearer(const Regress *asked, const Spots *spots, Paths *worse) {
    Prices all = {0};
    add_prices(asked, asked->before, spots, false, &all);
    add_prices(asked, asked->after, spots, true, &all);
    if (all.count > 1) qsort(all.items, all.count, sizeof *all.items, text_order);
    for (uint32_t i = 0, end; i < all.count; i = end) {
        Price file = {.path = all.items[i].path};
        for (end = i; end < all.count && text_equal(all.items[end].path, file.path); end++) {
            file.waits_us += all.items[end].waits_us, file.turn_us += all.items[end].turn_us;
            file.waits_before_us += all.items[end].waits_before_us;
            file.turn_before_us += all.items[end].turn_before_us;
        }
        if (is_dearer(&file)) vec_push(asked->arena, worse, file.path);
    }
}

/* No loop of before that had a price: a wait in it is all that gives it one. */
static bool is_new_loop(const Regress *asked, Text name) {
    const Findings *before = asked->before->findings;
    for (HotLoopId id = 1; id < before->loops.count; id++)
        if (text_equal(before->loops.items[id].name, name)) return false;
    return true;
}

static void add_path(const Regress *asked, Paths *paths, Text path) {
    if (!is_among(paths, path)) vec_push(asked->arena, paths, path);
}

/* Sites that are new; sites that are gone but should not be; targets that are still there. */
static bool differs(const Regress *asked, Spots *before, Spots *after, bool *blamed, Paths *worse) {
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
        if (blame(asked, spot))
            *blamed = true;
        else
            add_path(asked, worse, spot->path);
        any = true;
    }
    for (uint32_t i = 0; i < before->items.count; i++) {
        const Spot *was = &before->items.items[i];
        if (was->gone || was->target || was->change || was->may_go) continue;
        add_path(asked, worse, was->path);
        any = true;
    }
    return any;
}

bool regress_none(const Regress *asked) {
    Spots before = {0}, after = {0};
    Paths worse = {0};
    bool blamed = false;
    collect(asked, asked->before, false, &before);
    collect(asked, asked->after, true, &after);
    bool any = differs(asked, &before, &after, &blamed, &worse);
    if (!any) find_dearer(asked, &after, &worse);
    if (!any && !worse.count) {
        for (uint32_t i = 0; i < before.items.count; i++)
            *asked->with += !before.items.items[i].gone && !before.items.items[i].target;
        return true;
    }
    if (!blamed) put_off(asked, &worse);
    return false;
}
