#include "broken_files.h"
#include "glyph.h"
#include "place.h"

static bool is_skipped(const Suppressions *suppressions, FileId file) {
    for (uint32_t i = 0; i < suppressions->allowances.count; i++) {
        const Allowance *allowance = &suppressions->allowances.items[i];
        if (allowance->file == file && allowance->line == 0 && allowance->rule_count == 0) return true;
    }
    return false;
}

static Text line_at(const SourceFile *file, uint32_t line) {
    const FileModel *model = file->model;
    uint32_t start = model->lines.items[line],
             end = line + 1 < model->lines.count ? model->lines.items[line + 1] : file->bytes.length;
    return text_slice(file->bytes, start, end);
}

/* The first conflict marker of git: seven characters at the start of a line and a blank, with a middle marker
   below. */
static bool find_conflict(const SourceFile *file, uint32_t *at) {
    bool found = false, parted = false;
    for (uint32_t line = 0; line < file->model->lines.count && !parted; line++) {
        Text text = line_at(file, line);
        if (!found && text_starts(text, TEXT("<<<<<<< "))) {
            found = true;
            *at = file->model->lines.items[line];
        }
        parted = found && text_starts(text, TEXT("=======")) && !text_starts(text, TEXT("========"));
    }
    return parted;
}

static Broken broken_of(const SourceFile *file) {
    Broken broken = {.file = file, .offset = file->model->broken_at};
    if (!file->model->error_count)
        broken.reason = TEXT("nested too deeply: what is deeper is left out");
    else if (find_conflict(file, &broken.offset))
        broken.reason = TEXT("a merge conflict's markers: what stands around them may be left out");
    else
        broken.reason = TEXT("syntax error: what stands around it may be left out");
    Place place = place_shown(file, broken.offset);
    broken.cell = place.cell;
    broken.at = (Position){place.line, place.column};
    broken.raw = place_physical(file, broken.offset);
    return broken;
}

void broken_find(Arena *result, const Program *program, const Suppressions *suppressions, BrokenFiles *out) {
    for (FileId id = 1; id < program->files.count; id++) {
        const SourceFile *file = &program->files.items[id];
        if (!file->model->error_count && !file->model->given_up) continue;
        if (!is_skipped(suppressions, id)) vec_push(result, out, broken_of(file));
    }
}

Text broken_line(Arena *arena, const Broken *broken) {
    Text path = glyph_clean(arena, broken->file->path);
    Text cell = broken->cell ? text_format(arena, "cell %u:", broken->cell) : TEXT("");
    return text_format(arena, "%.*s:%.*s%u:%u: %.*s", SHOWN(path), SHOWN(cell), broken->at.line,
                       broken->at.column, SHOWN(broken->reason));
}

Text broken_sentence(Arena *arena, const Broken *broken) {
    if (!broken->cell) return broken->reason;
    return text_format(arena, "Cell %u, line %u: %.*s", broken->cell, broken->at.line, SHOWN(broken->reason));
}
