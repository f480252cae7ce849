#include "frames.h"
#include "sources.h"

/* "path(line): name", split. */
typedef struct Written {
    Text path, name;
    uint32_t line;
} Written;

static bool take_apart(Text text, Written *written) {
    for (uint32_t at = text.length; at-- > 2;) {
        if (text.bytes[at] != ':' || text.bytes[at - 1] != ')') continue;
        uint32_t open = at - 1, line = 0;
        while (open > 0 && text.bytes[open] != '(') open--;
        for (uint32_t i = open + 1; i < at - 1; i++) {
            if (text.bytes[i] < '0' || text.bytes[i] > '9' || line > 100000000) return false;
            line = line * 10 + (uint32_t)(text.bytes[i] - '0');
        }
        *written = (Written){text_slice(text, 0, open),
                             text_slice(text, at + 2 < text.length ? at + 2 : text.length, text.length), line};
        return open > 0;
    }
    return false;
}

static FuncId function_of(const FileModel *model, const Written *written) {
    if (text_equal(written->name, TEXT("<module>"))) return 1;
    FuncId best = 0;
    uint32_t least = UINT32_MAX;
    for (FuncId func = 2; func < model->funcs.count; func++) {
        const Func *candidate = &model->funcs.items[func];
        bool named = candidate->name && text_equal(model_name(model, candidate->name), written->name);
        bool lambda = candidate->kind == FUNC_LAMBDA && text_equal(written->name, TEXT("<lambda>"));
        uint32_t line = model_line(model, candidate->span.start);
        uint32_t away = line > written->line ? line - written->line : written->line - line;
        if ((named || lambda) && away < least) least = away, best = func;
    }
    return best;
}

PythonFrame *frames_find(Arena *arena, const Trace *trace, const Program *program) {
    uint32_t count = trace->names.texts.count;
    PythonFrame *frames = arena_new(arena, PythonFrame, count + 1);
    Arena scratch = {0};
    Sources *sources = sources_new(&scratch, program);
    for (Sym name = 1; name <= count && trace->has_python; name++) {
        Written written;
        if (!take_apart(names_text(&trace->names, name), &written)) continue;
        frames[name].file = sources_file(sources, written.path);
        if (frames[name].file)
            frames[name].func = function_of(program->files.items[frames[name].file].model, &written);
    }
    arena_free(&scratch);
    return frames;
}

FuncId frames_function_of(const FileModel *model, uint32_t offset) {
    FuncId best = 1;
    for (FuncId func = 2; func < model->funcs.count; func++) {
        const Func *candidate = &model->funcs.items[func];
        bool around = candidate->span.start <= offset && offset < candidate->span.end;
        bool code = candidate->kind == FUNC_DEF || candidate->kind == FUNC_LAMBDA;
        if (around && code) best = func; /* inner functions come after the one around them */
    }
    return best;
}
