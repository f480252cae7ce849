#include "mending.h"
#include "gains.h"
#include "notebook.h"
#include "patch.h"
#include "path.h"
#include "plan.h"
#include "regress.h"
#include "wishes.h"
#include <stdlib.h>

enum { ROUNDS = 10, TRIES = 10 }; /* rounds that keep a fix; tries within a round */

typedef struct Mending {
    Run *run;
    Arena *arena;
    const AnalyzeOptions *how;
    const ReportOptions *wanted;
    Selection fixable;
    VEC(MendedFile) files;
    VEC(Text) refused; /* fixes that were tried and failed, each by its finding and edits */
    bool again;        /* a fix was kept since, so failed ones are worth another try */
    const Analysis *now;
    Mended *out;
} Mending;

bool mending_wanted(const Options *options) { return options->diff || options->fix || options->fix_only; }

/* ---- choosing fixes ---- */

static Text key_of(const Mending *self, const Finding *finding) {
    Text mark = finding->fingerprint, title = finding->site->fix->title;
    return text_format(self->arena, "%.*s %.*s", SHOWN(mark), SHOWN(title));
}

static bool is_refused(const Mending *self, const Finding *finding) {
    Text key = key_of(self, finding);
    for (uint32_t i = 0; i < self->refused.count; i++)
        if (text_equal(self->refused.items[i], key)) return true;
    return false;
}

/* The file came from standard input. */
static bool is_piped(const Mending *self, const SourceFile *file) {
    const Options *options = &self->run->options;
    bool piped = false;
    for (uint32_t i = 0; i < options->paths.count; i++) piped |= strcmp(options->paths.items[i], "-") == 0;
    return piped && text_equal(file->path, text_of(options->stdin_filename ? options->stdin_filename : "-"));
}

static MendedFile *file_of(Mending *self, const SourceFile *file) {
    Text absolute = path_absolute(self->arena, self->run->repository.current, file->path);
    for (uint32_t i = 0; i < self->files.count; i++)
        if (text_equal(self->files.items[i].absolute, absolute)) return &self->files.items[i];
    MendedFile made = {.absolute = absolute, .edit = {.file = file, .piped = is_piped(self, file)}};
    made.closed = !file->reported || !edit_open(self->arena, &made.edit);
    if (!made.closed) made.patch = patch_begin(self->arena, file, made.edit.written);
    vec_push(self->arena, &self->files, made);
    return &self->files.items[self->files.count - 1];
}

/* The same edit for two fixes is made once: a loader pins for both copies of its batch. */
static bool overlaps(const FixEdit *a, const FixEdit *b) {
    bool shared = a->span.start == b->span.start && a->span.end == b->span.end && text_equal(a->text, b->text);
    if (a->file != b->file || shared) return false;
    return (a->span.start < b->span.end && b->span.start < a->span.end) || a->span.start == b->span.start;
}

static bool has_room(const ChosenFixes *chosen, const Fix *fix) {
    for (uint32_t c = 0; c < chosen->count; c++)
        for (uint32_t i = 0; i < chosen->items[c].fix->edit_count; i++)
            for (uint32_t k = 0; k < fix->edit_count; k++)
                if (overlaps(&chosen->items[c].fix->edits[i], &fix->edits[k])) return false;
    return true;
}

static bool can_be_written(Mending *self, const Fix *fix) {
    bool can = true;
    for (uint32_t i = 0; i < fix->edit_count; i++)
        can &= !file_of(self, &self->now->program->files.items[fix->edits[i].file])->closed;
    return can;
}

static bool is_in_group(const Mending *self, const Report *report, uint32_t finding) {
    double group = self->run->options.group;
    return group <= 0 || (report->plan && report->plan->group_of[finding] == (uint32_t)group);
}

/* [finding]: its fix is allowed. */
static bool *may_be_mended(Mending *self, const Report *report, bool unsafe) {
    bool *may = arena_new(self->arena, bool, report->findings.count + 1u);
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        const Fix *fix = finding->id ? finding->site->fix : NULL;
        may[i] = fix && (unsafe || !fix->doubt.length) && self->fixable.shown[finding->site->hazard] &&
                 is_in_group(self, report, i) && !is_refused(self, finding) && can_be_written(self, fix);
    }
    return may;
}

/* Those of them that gain something; a group of the plan is judged as a whole. */
static const bool *that_gain(Mending *self, const Report *report, const bool *may) {
    const Options *options = &self->run->options;
    return options->all_fixes || options->group > 0 ? may : gains_of_fixes(self->arena, report, may);
}

/* How many more findings --unsafe-fixes would mend. */
static uint32_t count_unsafe(Mending *self, const Report *report) {
    uint32_t count = 0;
    if (self->run->options.unsafe_fixes) return 0;
    const bool *gains = that_gain(self, report, may_be_mended(self, report, true));
    for (uint32_t i = 0; i < report->findings.count; i++)
        count += gains[i] && report->findings.items[i].site->fix->doubt.length;
    return count;
}

/* Takes fixes in the order of the report. */
static void choose(Mending *self, const Report *report, ChosenFixes *chosen) {
    const bool *may = may_be_mended(self, report, self->run->options.unsafe_fixes),
               *gains = that_gain(self, report, may);
    self->out->unsafe = count_unsafe(self, report), self->out->idle = 0;
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        self->out->idle += may[i] && !gains[i];
        if (gains[i] && has_room(chosen, finding->site->fix))
            vec_push(self->arena, chosen, ((ChosenFix){.finding = finding, .fix = finding->site->fix}));
    }
}

/* ---- trying them ---- */

static int by_place(const void *left, const void *right) {
    const OwnedChange *a = left, *b = right;
    if (a->change.start != b->change.start) return a->change.start < b->change.start ? -1 : 1;
    if (a->change.end != b->change.end) return a->change.end < b->change.end ? -1 : 1;
    return a->owner < b->owner ? -1 : a->owner > b->owner;
}

static void gather(Mending *self, ChosenFixes *chosen) {
    for (uint32_t i = 0; i < self->files.count; i++) self->files.items[i].changes.count = 0;
    for (uint32_t c = 0; c < chosen->count; c++)
        for (uint32_t i = 0; fix_is_tried(&chosen->items[c]) && i < chosen->items[c].fix->edit_count; i++) {
            const FixEdit *edit = &chosen->items[c].fix->edits[i];
            MendedFile *file = file_of(self, &self->now->program->files.items[edit->file]);
            OwnedChange change = {{edit->span.start, edit->span.end, edit->text, false}, c};
            vec_push(self->arena, &file->changes, change);
        }
}

/* The notebook with the changes of earlier rounds; NULL: the file is none. */
static const Notebook *notebook_of(const Mending *self, const MendedFile *file) {
    const Program *program = self->now->program;
    for (FileId id = 1; file->edit.file->notebook && id < program->files.count; id++)
        if (text_equal(program->files.items[id].path, file->edit.file->path))
            return program->files.items[id].notebook;
    return NULL;
}

static bool is_same(const Change *a, const Change *b) {
    return a->start == b->start && a->end == b->end && text_equal(a->text, b->text);
}

/* Sorts the changes by place, and drops all but the first of those that several fixes share. */
static void sort(MendedFile *file) {
    OwnedChange *items = file->changes.items;
    uint32_t count = 0;
    qsort(items, file->changes.count, sizeof *items, by_place);
    for (uint32_t k = 0; k < file->changes.count; k++)
        if (!count || !is_same(&items[count - 1].change, &items[k].change)) items[count++] = items[k];
    file->changes.count = count;
}

/* Applies the fixes to their files; where the result is not valid Python, that file's fixes are refused. */
static bool apply(Mending *self, ChosenFixes *chosen) {
    bool good = true;
    for (uint32_t i = 0; i < self->files.count; i++) {
        MendedFile *file = &self->files.items[i];
        file->tried = file->patch;
        if (!file->changes.count) continue;
        Change *changes = arena_new(self->arena, Change, file->changes.count);
        sort(file);
        for (uint32_t k = 0; k < file->changes.count; k++) changes[k] = file->changes.items[k].change;
        const Notebook *book = notebook_of(self, file);
        if (patch_apply(self->arena, &file->tried, book, changes, file->changes.count) &&
            edit_holds(self->arena, &file->edit, file->tried.now))
            continue;
        for (uint32_t k = 0; k < file->changes.count; k++)
            chosen->items[file->changes.items[k].owner].refused = true;
        good = false;
    }
    return good;
}

static const Analysis *analyze_tried(Mending *self, Arena *result) {
    AnalyzeOptions how = *self->how;
    Overlaid *overlaid = arena_new(self->arena, Overlaid, self->files.count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->files.count; i++)
        if (!self->files.items[i].closed)
            overlaid[count++] =
                (Overlaid){self->files.items[i].absolute, self->files.items[i].tried.now_written};
    qsort(overlaid, count, sizeof *overlaid, text_order);
    how.limits.overlaid = overlaid;
    how.limits.overlaid_count = count;
    how.progress = false;
    return analyze(result, &how, &self->run->error);
}

static void remember_refused(Mending *self, const ChosenFixes *chosen) {
    for (uint32_t i = 0; i < chosen->count; i++)
        if (chosen->items[i].refused)
            vec_push(self->arena, &self->refused, key_of(self, chosen->items[i].finding));
}

static uint32_t left(const ChosenFixes *chosen) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < chosen->count; i++) count += fix_is_tried(&chosen->items[i]);
    return count;
}

/* Drops failing fixes until those left pass. NULL: none passes or, with an error, it cannot be decided. Failed
   analyses are freed, as they are most of a run's memory. */
static const Analysis *try_all(Mending *self, ChosenFixes *chosen, uint32_t *with) {
    for (uint32_t i = 0; i < TRIES && left(chosen); i++) { /* halving a thousand fixes ten times leaves one */
        gather(self, chosen);
        if (!apply(self, chosen)) continue;
        Arena result = {0};
        const Analysis *after = analyze_tried(self, &result);
        Regress asked = {self->arena,
                         self->now,
                         after,
                         chosen,
                         self->files.items,
                         self->files.count,
                         self->wanted->min_confidence,
                         with};
        bool good = !after || regress_none(&asked);
        if (!good) arena_free(&result);
        if (!good) continue;
        arena_adopt(self->arena, &result);
        return after;
    }
    return NULL;
}

static void keep(Mending *self, const ChosenFixes *chosen, uint32_t with, const Analysis *after) {
    for (uint32_t i = 0; i < self->files.count; i++) {
        MendedFile *file = &self->files.items[i];
        self->out->files += !file->changed && file->changes.count > 0;
        file->changed |= file->changes.count > 0;
        file->patch = file->tried;
    }
    self->out->findings += left(chosen) + with;
    self->again = self->refused.count > 0;
    self->now = after;
}

/* ---- rounds ---- */

static const Report *report_of(Mending *self) {
    ReportOptions *wanted = arena_copy(self->arena, self->wanted, sizeof *wanted);
    wanted->by_file = wishes_by_file(self->arena, self->now->program, self->how->rulebook, self->run->settings,
                                     self->run->repository.current, &self->run->error);
    if (self->run->options.group > 0) wanted->top = UINT32_MAX;
    return wanted->by_file ? report_make(self->arena, self->now, wanted) : NULL;
}

static bool round_of(Mending *self, bool *more) {
    ChosenFixes chosen = {0};
    const Report *report = report_of(self);
    *more = false;
    if (!report) return false;
    choose(self, report, &chosen);
    if (!chosen.count) {
        *more = self->again;
        self->again = false;
        self->refused.count = 0;
        return true;
    }
    uint32_t with = 0;
    const Analysis *after = try_all(self, &chosen, &with);
    if (self->run->error.length) return false;
    uint32_t refused = self->refused.count;
    remember_refused(self, &chosen);
    if (after) keep(self, &chosen, with, after);
    *more = after || self->refused.count > refused;
    return true;
}

/* ---- results ---- */

/* The folder that no link may lead out of, as for --add-allow. */
static Text root_of(const Mending *self, const MendedFile *file) {
    const Repository *repository = &self->run->repository;
    return path_is_below(file->absolute, repository->root) ? repository->root : path_folder(file->absolute);
}

static bool write_all(Mending *self) {
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < self->files.count; i++) {
            MendedFile *file = &self->files.items[i];
            file->edit.made = file->patch.now_written;
            if (!file->changed || file->edit.piped) continue;
            bool good = (round ? edit_write : edit_may_write)(self->arena, &file->edit, root_of(self, file),
                                                              &self->run->error);
            if (!good) return false;
        }
    return true;
}

/* A source from standard input is printed on standard output. */
static void print_piped(Mending *self) {
    for (uint32_t i = 0; i < self->files.count; i++) {
        const MendedFile *file = &self->files.items[i];
        const Notebook *book = file->edit.file->notebook;
        if (!file->edit.piped) continue;
        output_bytes(&self->run->output, !file->closed ? file->patch.now_written
                                         : book        ? book->raw
                                                       : file->edit.file->bytes);
        self->out->piped = true;
    }
}

static int by_file(const void *left, const void *right) {
    const MendedFile *a = left, *b = right;
    return text_compare(a->edit.file->path, b->edit.file->path);
}

static void print_all(Mending *self) {
    if (self->files.count > 1) qsort(self->files.items, self->files.count, sizeof *self->files.items, by_file);
    for (uint32_t i = 0; i < self->files.count; i++)
        if (self->files.items[i].changed)
            patch_diff(&self->run->output, &self->files.items[i].patch, self->files.items[i].edit.file->path);
}

static Wordings words_of(const Mending *self, const Strings *strings, const char *otherwise) {
    Wordings words = {0};
    for (uint32_t i = 0; i < strings->count; i++)
        vec_push(self->arena, &words, ((Wording){strings->items[i], TEXT("")}));
    if (!strings->count && otherwise) vec_push(self->arena, &words, ((Wording){otherwise, TEXT("")}));
    return words;
}

static bool select_fixable(Mending *self) {
    const Options *options = &self->run->options;
    RuleLayer layer = {.select = words_of(self, &options->fixable, "ALL"),
                       .ignore = words_of(self, &options->unfixable, NULL),
                       .has_select = true};
    RuleLayer nothing = {.ignore = words_of(self, &(Strings){0}, "ALL")};
    const RuleLayer *layers[] = {&nothing, &layer};
    return selection_make(self->arena, self->how->rulebook, layers, 2, &(Wordings){0}, &self->fixable,
                          &self->run->error);
}

static void say(Mending *self) {
    const Mended *out = self->out;
    bool only_told = self->run->options.diff;
    Text more = out->unsafe ? text_format(self->arena, "; %u more with --unsafe-fixes", out->unsafe) : TEXT("");
    if (out->idle)
        more =
            text_format(self->arena, "%.*s; %u more would gain nothing (--all-fixes)", SHOWN(more), out->idle);
    run_note(self->run,
             text_format(self->arena, "%s %u finding%s in %u file%s%.*s", only_told ? "would mend" : "mended",
                         out->findings, out->findings == 1 ? "" : "s", out->files, out->files == 1 ? "" : "s",
                         SHOWN(more)));
}

bool mending_run(Run *run, const AnalyzeOptions *how, const ReportOptions *wanted, const Analysis *analysis,
                 Mended *mended) {
    Mending self = {
        .run = run, .arena = run->arena, .how = how, .wanted = wanted, .now = analysis, .out = mended};
    bool more = true;
    *mended = (Mended){0};
    if (!select_fixable(&self)) return false;
    for (FileId id = 1; id < analysis->program->files.count; id++)
        if (is_piped(&self, &analysis->program->files.items[id]))
            (void)file_of(&self, &analysis->program->files.items[id]);
    for (uint32_t kept = 0, before = 0; kept < ROUNDS && more; kept += mended->findings > before) {
        before = mended->findings;
        if (!round_of(&self, &more)) return false;
    }
    mended->analysis = self.now;
    if (run->options.diff)
        print_all(&self);
    else if (!write_all(&self))
        return false;
    else
        print_piped(&self);
    say(&self);
    return true;
}
