#include "observed.h"
#include "path.h"
#include "place.h"
#include <stdlib.h>

/* https://github.com/pytorch/pytorch/blob/main/c10/cuda/CUDAFunctions.cpp, warn_or_error_on_sync */
static const char warning[] = "called a synchronizing CUDA operation";

/* A line of a file that the log mentions. */
typedef struct Record {
    uint32_t path; /* id in Matching.paths */
    uint32_t line, warnings, runs;
    bool covered; /* a coverage report has counted its runs */
} Record;

typedef struct Matching {
    Arena *result;
    Arena scratch;
    const Report *report;
    Names paths;
    FileId *files; /* by path id: the file of the program; 0 = none */
    VEC(Record) records;
    uint32_t covered; /* path id of the file that the LCOV report is in */
    Observed *out;
} Matching;

/* ---- the log ---- */

static uint32_t read_number(Text text, uint32_t at, uint32_t *end) {
    uint64_t number = 0;
    while (at < text.length && text_is_digit(text.bytes[at]) && number < 100000000)
        number = number * 10 + (uint64_t)(text.bytes[at++] - '0');
    *end = at;
    return (uint32_t)number;
}

/* Removes what a launcher or logger wrote before a path: `[rank0]: `, `WARNING:py.warnings:`, `0 | `. */
static Text without_prefix(Text path) {
    uint32_t from = 0;
    for (uint32_t i = 0; i + 1 < path.length; i++) {
        bool ends = path.bytes[i] == ':' || path.bytes[i] == '\t';
        bool bracket = (path.bytes[i] == ']' || path.bytes[i] == '|') && path.bytes[i + 1] == ' ';
        if (ends || bracket) from = i + 1;
    }
    while (from < path.length && path.bytes[from] == ' ') from++;
    return text_slice(path, from, path.length);
}

/* `PATH:LINE: ...` before the words of the warning: the last such place in `head`. */
static bool read_place(Text head, Text *path, uint32_t *line) {
    for (uint32_t at = head.length; at-- > 0;) {
        uint32_t end;
        if (head.bytes[at] != ':' || at + 1 >= head.length || !text_is_digit(head.bytes[at + 1])) continue;
        *line = read_number(head, at + 1, &end);
        if (end >= head.length || head.bytes[end] != ':' || *line == 0) continue;
        *path = without_prefix(text_slice(head, 0, at));
        return path->length > 0;
    }
    return false;
}

static void add_record(Matching *self, Record record) {
    vec_push(&self->scratch, &self->records, record);
    self->out->warnings += record.warnings;
}

/* SF:path, then DA:line,times: https://manpages.debian.org/geninfo */
static void read_covered(Matching *self, Text line) {
    uint32_t end;
    if (text_starts(line, TEXT("SF:")))
        self->covered = names_intern(&self->paths, text_slice(line, 3, line.length));
    if (text_equal(line, TEXT("end_of_record"))) self->covered = 0;
    if (!self->covered || !text_starts(line, TEXT("DA:"))) return;
    uint32_t number = read_number(line, 3, &end);
    if (number == 0 || end >= line.length || line.bytes[end] != ',') return;
    uint32_t runs = read_number(line, end + 1, &end);
    add_record(self, (Record){.path = self->covered, .line = number, .runs = runs, .covered = true});
}

static void read_line(Matching *self, Text line) {
    Text path;
    uint32_t number, at = text_find(line, text_of(warning));
    if (at == line.length)
        read_covered(self, line);
    else if (read_place(text_slice(line, 0, at), &path, &number))
        add_record(self, (Record){.path = names_intern(&self->paths, path), .line = number, .warnings = 1});
}

static void read_log(Matching *self, Text log) {
    for (uint32_t at = 0; at < log.length;) {
        const char *end = memchr(log.bytes + at, '\n', log.length - at);
        uint32_t to = end ? (uint32_t)(end - log.bytes) : log.length, last = to;
        while (last > at && log.bytes[last - 1] == '\r') last--;
        read_line(self, text_slice(log, at, last));
        at = to + 1;
    }
}

/* ---- its files ---- */

static uint32_t parts(Text path) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < path.length; i++)
        count += path.bytes[i] != '/' && (i == 0 || path.bytes[i - 1] == '/');
    return count;
}

/* The number of trailing components that two paths share. */
static uint32_t common_parts(Text a, Text b) {
    uint32_t count = 0;
    while (a.length && b.length) {
        Text last_a = path_base(a), last_b = path_base(b);
        if (!last_a.length || !text_equal(last_a, last_b)) break;
        count++;
        a = path_folder(a);
        b = path_folder(b);
    }
    return count;
}

static bool is_installed(Text path) {
    return text_holds(path, "/site-packages/") || text_holds(path, "/dist-packages/");
}

/* How well a file of the program fits a logged path; 0 = not. All of one must be a suffix of the other: the
   logged path, or the file's path from its repository's root. */
static uint32_t fit(Matching *self, Text logged, const SourceFile *file) {
    const Repository *repository = &self->report->options->repository;
    Text absolute = path_absolute(&self->scratch, repository->current, file->path);
    uint32_t common = common_parts(logged, absolute);
    bool whole =
        common == parts(logged) || common >= parts(repository_path(&self->scratch, repository, file->path));
    return whole && is_installed(logged) == is_installed(absolute) ? common : 0;
}

static FileId file_of(Matching *self, Text logged) {
    const Program *program = self->report->analysis->program;
    uint32_t best = 0;
    FileId found = 0;
    for (FileId id = 1; id < program->files.count; id++) {
        const SourceFile *file = &program->files.items[id];
        uint32_t fits = file->notebook || !file->reported ? 0 : fit(self, logged, file);
        if (fits && fits == best) found = 0; /* two fit equally well: neither counts */
        if (fits > best) {
            best = fits;
            found = id;
        }
    }
    return found;
}

/* A logger may also put a blank before the path. */
static FileId file_of_either(Matching *self, Text logged) {
    FileId found = file_of(self, logged);
    for (uint32_t at = logged.length; !found && at-- > 0;)
        if (logged.bytes[at] == ' ') return file_of(self, text_slice(logged, at + 1, logged.length));
    return found;
}

static int by_place(const void *left, const void *right) {
    const Record *a = left, *b = right;
    if (a->path != b->path) return a->path < b->path ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* Maps paths to files where possible, and merges the records of each line. */
static void gather(Matching *self) {
    uint32_t paths = self->paths.texts.count, kept = 0;
    self->files = arena_new(&self->scratch, FileId, paths + 1u);
    uint32_t *first = arena_new(&self->scratch, uint32_t, self->report->analysis->program->files.count);
    for (uint32_t id = 1; id <= paths; id++)
        self->files[id] = file_of_either(self, names_text(&self->paths, id));
    for (uint32_t i = 0; i < self->records.count; i++) { /* two paths may be one file */
        Record *record = &self->records.items[i];
        FileId file = self->files[record->path];
        if (file && !first[file]) first[file] = record->path;
        if (file) record->path = first[file];
    }
    if (self->records.count > 1) qsort(self->records.items, self->records.count, sizeof(Record), by_place);
    for (uint32_t i = 0; i < self->records.count; i++) {
        Record *last = kept ? &self->records.items[kept - 1] : NULL, next = self->records.items[i];
        if (last && by_place(last, &next) == 0) {
            last->warnings += next.warnings;
            last->runs += next.runs;
            last->covered |= next.covered;
        } else {
            self->records.items[kept++] = next;
        }
    }
    self->records.count = kept;
}

static void count_here(Matching *self) {
    for (uint32_t i = 0; i < self->records.count; i++) {
        const Record *record = &self->records.items[i];
        if (!self->files[record->path]) continue;
        self->out->here += record->warnings;
        self->out->covered += !record->warnings;
    }
}

/* ---- findings ---- */

/* The sum of the log's records on the lines of a site. */
static Record total(const Matching *self, const Site *site) {
    Record sum = {0};
    Lines lines = site_lines(self->report->analysis->program->files.items[site->file].model, site);
    for (uint32_t i = 0; i < self->records.count; i++) {
        const Record *record = &self->records.items[i];
        if (self->files[record->path] != site->file) continue;
        if (record->line < lines.first || record->line > lines.last) continue;
        sum.warnings += record->warnings;
        sum.runs += record->runs;
    }
    return sum;
}

static bool is_observable(const Report *report, const Site *site) {
    const Rulebook *book = report->analysis->rulebook;
    if (!text_equal(rulebook_text(book, book->hazards[site->hazard].kind), TEXT("wait"))) return false;
    if (report->analysis->program->files.items[site->file].notebook || !site->clause) return false;
    return !rulebook_effect(book, site->clause, EFF_unwarned);
}

/* Whether coverage of the site's file is known. */
static bool is_covered(const Matching *self, FileId file) {
    for (uint32_t i = 0; i < self->records.count; i++)
        if (self->files[self->records.items[i].path] == file && self->records.items[i].covered) return true;
    return false;
}

static Seen seen_by(const Matching *self, const Site *site, const Record *sum) {
    if (!is_observable(self->report, site)) return SEEN_NOT_OBSERVABLE;
    if (sum->warnings) return SEEN_CONFIRMED;
    if (sum->runs) return SEEN_NOT;
    return is_covered(self, site->file) ? SEEN_NOT_EXECUTED : SEEN_NOT_OBSERVED;
}

static void judge(Matching *self, uint32_t index) {
    const Site *site = self->report->findings.items[index].site;
    Record sum = total(self, site);
    self->out->seen[index] = seen_by(self, site, &sum);
    self->out->counts[index] = sum.warnings;
}

static double weight(const Site *site) { return site->waits > 0 ? site->waits : 1; }

/* Divides a statement's warnings among its waits into whole numbers with that sum. */
static void share(Matching *self, const uint32_t *sums, uint32_t index) {
    const Report *report = self->report;
    const Site *site = report->findings.items[index].site;
    const SourceFile *file = &report->analysis->program->files.items[site->file];
    Lines lines = site_lines(file->model, site);
    double before = 0, all = 0, own = weight(site);
    if (self->out->seen[index] != SEEN_CONFIRMED) return;
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Site *other = report->findings.items[i].site;
        if (other->file != site->file || self->out->seen[i] != SEEN_CONFIRMED) continue;
        Lines here = site_lines(file->model, other);
        if (here.first != lines.first || here.last != lines.last) continue;
        all += weight(other);
        before += i < index ? weight(other) : 0;
    }
    uint32_t from = (uint32_t)(sums[index] * before / all), to = (uint32_t)(sums[index] * (before + own) / all);
    self->out->counts[index] = to - from;
}

static void judge_all(Matching *self) {
    uint32_t count = self->report->findings.count;
    for (uint32_t i = 0; i < count; i++) judge(self, i);
    const uint32_t *sums = arena_copy(&self->scratch, self->out->counts, count * sizeof *sums);
    for (uint32_t i = 0; i < count; i++) share(self, sums, i);
}

/* ---- waits without a finding ---- */

static bool is_at(const Matching *self, const Record *record, const Site *site) {
    FileId file = self->files[record->path];
    if (!file || site->file != file) return false;
    Lines lines = site_lines(self->report->analysis->program->files.items[file].model, site);
    return record->line >= lines.first && record->line <= lines.last;
}

static bool is_shown(const Matching *self, const Record *record) {
    for (uint32_t i = 0; i < self->report->findings.count; i++)
        if (is_at(self, record, self->report->findings.items[i].site)) return true;
    return false;
}

static bool is_found(const Matching *self, const Record *record) {
    const Findings *findings = self->report->analysis->findings;
    for (SiteId id = 1; id < findings->sites.count; id++)
        if (is_at(self, record, &findings->sites.items[id])) return true;
    return false;
}

static bool waits_in_backward(const Report *report) {
    for (uint32_t i = 0; i < report->findings.count; i++)
        if (report->findings.items[i].site->backward_waits > 0) return true;
    return false;
}

static Text line_text(const SourceFile *file, uint32_t line) {
    if (line > file->model->lines.count) return TEXT("");
    uint32_t start = file->model->lines.items[line - 1];
    uint32_t end = line < file->model->lines.count ? file->model->lines.items[line] : file->bytes.length;
    return text_slice(file->bytes, start, end);
}

/* In the module body and in no loop of it: there `model.to(device)` may warn for each parameter. */
static bool is_at_start(const FileModel *model, uint32_t line) {
    if (line > model->lines.count) return false;
    uint32_t at = model->lines.items[line - 1];
    for (StmtId id = 1; id < model->stmts.count; id++) {
        const Stmt *stmt = &model->stmts.items[id];
        bool repeats = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_FUNCTION;
        uint32_t first = model_line(model, stmt->span.start);
        if (repeats && (first == line || (stmt->span.start < at && at < stmt->span.end))) return false;
    }
    return true;
}

/* By default Python shows only a line's first warning; unless no line has two, warnings can be counted.
   Python's coverage does not count runs, that of other languages does. */
static bool is_once(const Matching *self, const Record *record) {
    FileId file = self->files[record->path];
    if (file && is_at_start(self->report->analysis->program->files.items[file].model, record->line))
        return true;
    bool warned = false, ran = false;
    for (uint32_t i = 0; i < self->records.count; i++) {
        warned |= self->records.items[i].warnings > 1;
        ran |= self->records.items[i].runs > 1;
    }
    return ran && record->covered ? record->runs == 1 : warned && record->warnings == 1;
}

static void add_wait(Matching *self, const Record *record) {
    FileId file = self->files[record->path];
    const SourceFile *source = &self->report->analysis->program->files.items[file];
    ObservedWait wait = {.file = file, .line = record->line, .count = record->warnings};
    Text path = file ? source->path : names_text(&self->paths, record->path);
    wait.path = (Text){arena_copy(self->result, path.bytes, path.length), path.length};
    Text text = file ? line_text(source, record->line) : TEXT("");
    wait.in_backward = text_holds(text, "backward(") && waits_in_backward(self->report);
    wait.hidden = is_found(self, record);
    if (is_once(self, record))
        vec_push(self->result, &self->out->once, wait);
    else
        vec_push(self->result, &self->out->waits, wait);
}

static int by_count(const void *left, const void *right) {
    const ObservedWait *a = left, *b = right;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    int paths = text_compare(a->path, b->path);
    return paths ? paths : a->line < b->line ? -1 : a->line > b->line;
}

const Observed *observed_match(Arena *result, const Report *report, Text log) {
    Matching self = {.result = result, .report = report, .out = arena_new(result, Observed, 1)};
    self.paths.arena = &self.scratch;
    self.out->seen = arena_new(result, Seen, report->findings.count + 1u);
    self.out->counts = arena_new(result, uint32_t, report->findings.count + 1u);
    read_log(&self, log);
    gather(&self);
    count_here(&self);
    judge_all(&self);
    for (uint32_t i = 0; i < self.records.count; i++)
        if (self.records.items[i].warnings && !is_shown(&self, &self.records.items[i]))
            add_wait(&self, &self.records.items[i]);
    if (self.out->waits.count > 1)
        qsort(self.out->waits.items, self.out->waits.count, sizeof(ObservedWait), by_count);
    if (self.out->once.count > 1)
        qsort(self.out->once.items, self.out->once.count, sizeof(ObservedWait), by_count);
    arena_free(&self.scratch);
    return self.out;
}

/* ---- words ---- */

Text observed_word(Seen seen) {
    switch (seen) {
    case SEEN_CONFIRMED: return TEXT("confirmed");
    case SEEN_NOT: return TEXT("not-seen");
    case SEEN_NOT_EXECUTED: return TEXT("not-executed");
    case SEEN_NOT_OBSERVED: return TEXT("not-observed");
    case SEEN_NOT_OBSERVABLE: break;
    }
    return TEXT("not-observable");
}

Text observed_oddity(Arena *arena, const Report *report) {
    const Observed *observed = report->observed;
    if (!observed) return TEXT("");
    if (!observed->warnings && observed->covered)
        return TEXT("--observed: no warning is in the logs, only which lines ran; was the debug mode on?");
    if (!observed->warnings)
        return TEXT(
            "--observed: nothing in the logs is a warning of torch.cuda.set_sync_debug_mode(\"warn\"), so "
            "nothing was observed");
    if (!observed->here)
        return text_format(arena,
                           "--observed: none of the %u warning%s in the logs names a file that was analysed",
                           observed->warnings, observed->warnings == 1 ? "" : "s");
    return TEXT("");
}

Text observed_text(Arena *arena, const Observed *observed, uint32_t finding) {
    uint32_t count = observed->counts[finding];
    switch (observed->seen[finding]) {
    case SEEN_CONFIRMED:
        return text_format(arena, "confirmed: the run warned here %u time%s", count, count == 1 ? "" : "s");
    case SEEN_NOT: return TEXT("not seen: it ran without a warning");
    case SEEN_NOT_EXECUTED: return TEXT("not executed in that run");
    case SEEN_NOT_OBSERVED:
        return TEXT(
            "not observed: no warning names it; whether it ran is not in the log (syncl observed-help)");
    case SEEN_NOT_OBSERVABLE: break;
    }
    return TEXT("not observable: the debug mode does not see this");
}
