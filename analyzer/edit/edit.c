#include "edit.h"
#include "coding.h"
#include "file.h"
#include "lexical.h"
#include "lower.h"
#include "notebook.h"
#include "output.h"
#include "rewrite.h"

/* ---- the file on disk ---- */

/* Not for notebooks, whose program differs from the file's bytes. */
static bool read_again(Arena *arena, SourceEdit *edit) {
    Text why;
    const Notebook *book = edit->file->notebook;
    if (edit->piped) {
        edit->written = book ? book->raw : edit->file->bytes;
        return true;
    }
    if (!file_read(arena, edit->file->path, &edit->written, &why)) return false;
    if (book) return text_equal(edit->written, book->raw);
    char *read = arena_copy(arena, edit->written.bytes, edit->written.length);
    text_end_lines(read, edit->written.length);
    return text_equal((Text){read, edit->written.length}, edit->file->bytes);
}

/* ---- applying changes ---- */

typedef struct Applied {
    Text bytes;
    uint32_t *starts; /* [change]: start of its text in the result */
} Applied;

static Applied apply(Arena *arena, const SourceEdit *edit, Text source) {
    Output output = {.arena = arena};
    Applied made = {.starts = arena_new(arena, uint32_t, edit->changes.count + 1u)};
    uint32_t from = 0;
    for (uint32_t i = 0; i < edit->changes.count; i++) {
        const Change *change = &edit->changes.items[i];
        if (change->refused) continue;
        output_bytes(&output, text_slice(source, from, change->start));
        made.starts[i] = output.bytes.count;
        output_bytes(&output, change->text);
        from = change->end;
    }
    output_bytes(&output, text_slice(source, from, source.length));
    made.bytes = (Text){output.bytes.items ? output.bytes.items : "", output.bytes.count};
    return made;
}

/* ---- one comment ---- */

static uint32_t blanks_end(Text bytes, uint32_t at) {
    while (at < bytes.length && (bytes.bytes[at] == ' ' || bytes.bytes[at] == '\t' || bytes.bytes[at] == '\f'))
        at++;
    return at;
}

static bool is_one_line(Text text) {
    return !memchr(text.bytes, '\n', text.length) && !memchr(text.bytes, '\r', text.length);
}

static bool has_room(const SourceEdit *edit, const Lexemes *lexemes, Coding coding, const Change *change) {
    return change->start == change->end && is_one_line(change->text) && coding_holds(coding, change->text) &&
           lexical_ends_line(lexemes, blanks_end(edit->file->bytes, change->start));
}

/* ---- checking all comments by the parser ---- */

static bool in_comment(const FileModel *model, uint32_t at) {
    for (uint32_t i = 0; i < model->comments.count; i++) {
        Span span = model->comments.items[i].span;
        if (span.start <= at && at < span.end) return true;
    }
    return false;
}

/* Parses the result and takes back each change that is no comment there. False: some change was taken back. */
static bool all_became_comments(Arena *arena, SourceEdit *edit, Applied made, uint32_t *errors) {
    Arena scratch = {0};
    FileModel model = {0};
    bool good = true;
    SyntaxParser *parser = syntax_open();
    lower_file(arena, &scratch, parser, made.bytes, &model);
    syntax_close(parser);
    for (uint32_t i = 0; i < edit->changes.count; i++) {
        Change *change = &edit->changes.items[i];
        if (change->refused || in_comment(&model, made.starts[i] + blanks_end(change->text, 0))) continue;
        change->refused = true;
        good = false;
    }
    *errors = model.error_count;
    arena_free(&scratch);
    return good;
}

static bool is_verified(Arena *arena, SourceEdit *edit, const Lexemes *before, Coding coding) {
    Applied made;
    uint32_t errors;
    do made = apply(arena, edit, edit->file->bytes);
    while (!all_became_comments(arena, edit, made, &errors));
    Lexemes after;
    lexical_read(arena, made.bytes, &after);
    return errors == 0 && !after.wrong && coding_of(made.bytes) == coding && coding_fits(coding, made.bytes) &&
           lexical_same_code(edit->file->bytes, before, made.bytes, &after);
}

static void refuse_all(SourceEdit *edit) {
    for (uint32_t i = 0; i < edit->changes.count; i++) edit->changes.items[i].refused = true;
}

static bool has_accepted_change(const SourceEdit *edit) {
    for (uint32_t i = 0; i < edit->changes.count; i++)
        if (!edit->changes.items[i].refused) return true;
    return false;
}

bool edit_comments(Arena *arena, SourceEdit *edit) {
    const SourceFile *file = edit->file;
    Coding coding = coding_of(file->bytes);
    Lexemes lexemes = {0};
    bool good = !file->notebook && read_again(arena, edit) && file->model->error_count == 0 &&
                coding_fits(coding, file->bytes);
    if (good) lexical_read(arena, file->bytes, &lexemes);
    good = good && !lexemes.wrong;
    for (uint32_t i = 0; i < edit->changes.count; i++) {
        Change *change = &edit->changes.items[i];
        change->refused = !good || !has_room(edit, &lexemes, coding, change);
    }
    if (has_accepted_change(edit) && !is_verified(arena, edit, &lexemes, coding)) refuse_all(edit);
    if (has_accepted_change(edit)) edit->made = apply(arena, edit, edit->written).bytes;
    return has_accepted_change(edit);
}

bool edit_open(Arena *arena, SourceEdit *edit) {
    const SourceFile *file = edit->file;
    Lexemes lexemes = {0};
    if (file->model->error_count || !coding_fits(coding_of(file->bytes), file->bytes) ||
        !read_again(arena, edit))
        return false;
    lexical_read(arena, file->bytes, &lexemes);
    return !lexemes.wrong;
}

bool edit_holds(Arena *arena, const SourceEdit *edit, Text made) {
    Coding coding = coding_of(edit->file->bytes);
    Arena scratch = {0};
    FileModel model = {0};
    Lexemes lexemes = {0};
    SyntaxParser *parser = syntax_open();
    lower_file(arena, &scratch, parser, made, &model);
    syntax_close(parser);
    arena_free(&scratch);
    lexical_read(arena, made, &lexemes);
    return !model.error_count && !model.given_up && !lexemes.wrong && coding_of(made) == coding &&
           coding_fits(coding, made);
}

bool edit_may_write(Arena *arena, const SourceEdit *edit, Text root, Text *error) {
    return rewrite_may(arena, edit->file->path, root, error);
}

bool edit_write(Arena *arena, const SourceEdit *edit, Text root, Text *error) {
    return rewrite_file(arena, edit->file->path, edit->written, edit->made, root, error);
}
