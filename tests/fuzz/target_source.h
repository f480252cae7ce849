/* Python sources and notebooks: lowered, checked against what model.h promises, analysed, reported in every form. */
#include "fuzz.h"
#include "notebook.h"
#include "../outline_gaps.h"
#include "../unit/model_check.h"

static void fuzz_lower(Text bytes) {
    Arena result = {0}, scratch = {0};
    SyntaxParser *parser = syntax_open();
    char *exact = malloc(bytes.length + 1u); /* exactly as long, so that a read beyond it is seen */
    FileModel model;
    if (bytes.length) memcpy(exact, bytes.bytes, bytes.length);
    lower_file(&result, &scratch, parser, (Text){exact, bytes.length}, &model);
    const char *broken = model_broken(&model);
    if (broken) fuzz_broken(broken);
    lower_outlined(&result, &scratch, parser, (Text){exact, bytes.length}, &model);
    if ((broken = model_broken(&model))) fuzz_broken(broken);
    free(exact);
    syntax_close(parser);
    arena_free(&scratch);
    arena_free(&result);
}

static void fuzz_python(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    fuzz_lower(bytes);
    fuzz_report_file(fuzz, &arena, fuzz_file(fuzz, &arena, "input.py", bytes), NULL);
    arena_free(&arena);
}

static void fuzz_notebook(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    fuzz_report_file(fuzz, &arena, fuzz_file(fuzz, &arena, "input.ipynb", bytes), NULL);
    arena_free(&arena);
}
