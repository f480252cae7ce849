#include "emit_test.h"
#include "options.h"
#include "path.h"
#include "place.h"
#include "snippet.h"

enum { WAIT_LIMIT = 80 };

typedef struct Emit {
    Output *output;
    Arena *arena;
    const Report *report;
    Text *error;
    const SourceFile *file;
    FileId file_id;
    const Func *func;
    Text name;     /* Trainer.step */
    Text module;   /* pkg.train */
    Text instance; /* name of the fixture for `self`; empty = not needed */
} Emit;

static bool fail(Emit *self, Text error) {
    *self->error = error;
    return false;
}

/* ---- finding the function ---- */

static Text qualified(Arena *arena, const FileModel *model, const Func *func) {
    Text name = model_name(model, func->name);
    for (ClassId id = func->class_id; id; id = model->classes.items[id].outer) {
        Text outer = model_name(model, model->classes.items[id].name);
        name = text_format(arena, "%.*s.%.*s", SHOWN(outer), SHOWN(name));
    }
    return name;
}

/* An importer can reach functions at module level, and methods of classes there. */
static bool is_reachable(const FileModel *model, const Func *func) {
    if (func->kind != FUNC_DEF || func->parent != 1) return false;
    for (ClassId id = func->class_id; id; id = model->classes.items[id].outer)
        if (model->classes.items[id].parent != 1) return false;
    return true;
}

typedef struct Choice {
    uint32_t count;
    Text places;
    Nearest nearest;
} Choice;

static void consider(Emit *self, FileId id, const Func *func, const char *wanted, Choice *choice) {
    const SourceFile *file = &self->report->analysis->program->files.items[id];
    Text name = qualified(self->arena, file->model, func), last = model_name(file->model, func->name);
    nearest_try(&choice->nearest, wanted, text_format(self->arena, "%.*s", SHOWN(name)).bytes);
    if (!text_equal(name, text_of(wanted)) && !text_equal(last, text_of(wanted))) return;
    if (choice->count++) {
        choice->places = text_format(self->arena, "%.*s, ", SHOWN(choice->places));
    } else {
        self->file = file;
        self->file_id = id;
        self->func = func;
        self->name = name;
    }
    Text line = place_text(self->arena, file, func->span.start);
    choice->places = text_format(self->arena, "%.*s%.*s at %.*s:%.*s", SHOWN(choice->places), SHOWN(name),
                                 SHOWN(file->path), SHOWN(line));
}

static bool choose(Emit *self, const char *wanted) {
    const Program *program = self->report->analysis->program;
    Choice choice = {0};
    for (FileId id = 1; id < program->files.count; id++) {
        const FileModel *model = program->files.items[id].model;
        for (FuncId func = 1; program->files.items[id].reported && func < model->funcs.count; func++)
            if (is_reachable(model, &model->funcs.items[func]))
                consider(self, id, &model->funcs.items[func], wanted, &choice);
    }
    if (choice.count == 1) return true;
    if (choice.count > 1)
        return fail(self, text_format(self->arena, "several functions are called %s: %.*s", wanted,
                                      SHOWN(choice.places)));
    const char *near = nearest_word(&choice.nearest);
    return fail(self, near ? text_format(self->arena, "no function %s that can be imported; the nearest is %s",
                                         wanted, near)
                           : text_format(self->arena, "no function %s that can be imported", wanted));
}

static bool is_identifier_byte(char c, bool first) {
    unsigned char byte = (unsigned char)c;
    bool letter = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || byte >= 0x80;
    return letter || (!first && c >= '0' && c <= '9');
}

static bool is_dotted(Text text) {
    bool first = true;
    for (uint32_t i = 0; i < text.length; i++) {
        bool dot = text.bytes[i] == '.';
        if (dot ? first : !is_identifier_byte(text.bytes[i], first)) return false;
        first = dot;
    }
    return text.length > 0 && !first;
}

static bool find_module(Emit *self) {
    self->module = names_text(&self->report->analysis->program->names, self->file->module);
    if (!self->file->notebook && is_dotted(self->module)) return true;
    return fail(self, text_format(self->arena, "%.*s cannot be imported by a test", SHOWN(self->file->path)));
}

/* ---- its parameters ---- */

static bool is_decorated(const Emit *self, Text word) {
    const FileModel *model = self->file->model;
    for (uint32_t i = 0; i < self->func->decorators.count; i++) {
        const Expr *expr = &model->exprs.items[model->links.items[self->func->decorators.first + i]];
        if (expr->kind == EXPR_NAME && text_equal(model_name(model, expr->name), word)) return true;
    }
    return false;
}

/* Whether the first parameter is the object or the class. */
static bool is_bound(const Emit *self) {
    return self->func->class_id && !is_decorated(self, TEXT("staticmethod"));
}

static bool is_needed(const Param *param, uint32_t index, bool bound) {
    return !(bound && index == 0) && !param->fallback && !param->star;
}

typedef void EachParam(Emit *self, Text name, bool keyword);

static void each_param(Emit *self, EachParam *each) {
    const FileModel *model = self->file->model;
    bool bound = is_bound(self);
    for (uint32_t i = 0; i < self->func->param_count; i++) {
        const Param *param = &model->params.items[self->func->first_param + i];
        if (is_needed(param, i, bound)) each(self, model_name(model, param->name), param->keyword_only);
    }
}

static void write_parameter(Emit *self, Text name, bool keyword) {
    (void)keyword;
    output_text(self->output, ", ");
    output_clean(self->output, name);
}

static void write_argument(Emit *self, Text name, bool keyword) {
    output_text(self->output, ", ");
    output_clean(self->output, name);
    if (!keyword) return;
    output_text(self->output, "=");
    output_clean(self->output, name);
}

static void write_fixture(Emit *self, Text name, bool keyword) {
    (void)keyword;
    output_text(self->output, "@pytest.fixture\ndef ");
    output_clean(self->output, name);
    output_text(self->output, "():\n    raise NotImplementedError(\"return what ");
    output_clean(self->output, self->name);
    output_text(self->output, text_equal(name, self->instance) ? "() is called on" : "() is called with as ");
    if (!text_equal(name, self->instance)) output_clean(self->output, name);
    output_text(self->output, ", on the GPU\")\n\n\n");
}

/* Joins what a callback writes for each parameter, without the first comma. */
static Text gathered(Emit *self, EachParam *each) {
    Output list = {.arena = self->arena}, *before = self->output;
    self->output = &list;
    if (self->instance.length) each(self, self->instance, false);
    each_param(self, each);
    self->output = before;
    return text_slice((Text){list.bytes.items, list.bytes.count}, list.bytes.count ? 2 : 0, list.bytes.count);
}

/* ---- the test ---- */

static void write_comment(Emit *self, const char *words, Text text) {
    output_format(self->output, "# %s", words);
    output_clean(self->output, text);
    output_text(self->output, "\n");
}

static void write_known(Emit *self) {
    const Report *report = self->report;
    bool told = false;
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        Span span = finding->site->span;
        if (finding->site->file != self->file_id || span.start < self->func->span.start ||
            span.end > self->func->span.end)
            continue;
        if (!told) write_comment(self, "What syncl finds in it today:", TEXT(""));
        told = true;
        output_text(self->output, "#   ");
        output_bytes(self->output, report_place(self->arena, finding));
        output_text(self->output, ": ");
        output_clean(
            self->output,
            snippet_line(self->arena, text_slice(self->file->bytes, span.start, span.end), WAIT_LIMIT));
        output_text(self->output, "\n");
    }
}

static Text shown_root(Emit *self) {
    Text root = self->file->root, current = self->report->options->repository.current;
    if (!path_is_below(root, current)) return root;
    return text_equal(root, current) ? TEXT(".") : path_below(root, current);
}

static void write_head(Emit *self) {
    write_comment(self, "Fails where this makes the CPU wait for the GPU: ", self->name);
    write_comment(
        self, "Written by syncl --emit-test. Run it with pytest where a GPU is; PYTHONPATH=", shown_root(self));
    write_known(self);
    output_text(self->output,
                "import pytest\n\ntorch = pytest.importorskip(\"torch\")\n"
                "pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason=\"needs a GPU\")\n\n\n");
    if (self->instance.length) write_fixture(self, self->instance, false);
    each_param(self, write_fixture);
}

/* Writes the call; a generator must be iterated, a coroutine awaited. */
static void write_call(Emit *self) {
    Text arguments = gathered(self, write_argument);
    uint32_t dot = 0;
    while (dot < self->name.length && self->name.bytes[dot] != '.') dot++;
    output_text(self->output, "    from ");
    output_clean(self->output, self->module);
    output_text(self->output, " import ");
    output_clean(self->output, text_slice(self->name, 0, dot));
    bool later = self->func->is_async && !self->func->is_generator;
    output_text(self->output, later ? "\n    import asyncio\n\n    asyncio.run(" : "\n\n    ");
    if (self->func->is_generator) output_text(self->output, "for _ in ");
    output_clean(self->output, self->name);
    output_text(self->output, "(");
    output_bytes(self->output, arguments);
    output_text(self->output, self->func->is_generator ? "):\n        pass\n" : later ? "))\n" : ")\n");
}

static void write_test(Emit *self) {
    Text parameters = gathered(self, write_parameter), name = model_name(self->file->model, self->func->name);
    output_text(self->output, "def run(");
    output_bytes(self->output, parameters);
    output_text(self->output, "):\n");
    write_call(self);
    output_text(self->output, "\n\ndef test_");
    output_clean(self->output, name);
    output_text(self->output, "_does_not_wait(monkeypatch");
    output_text(self->output, parameters.length ? ", " : "");
    output_bytes(self->output, parameters);
    output_text(self->output, "):\n    run(");
    output_bytes(self->output, parameters);
    output_text(self->output,
                ")  # the first time loads, allocates and tunes, and may wait for that\n"
                "    torch.cuda.synchronize()\n\n"
                "    def refuse(*args, **kwargs):\n"
                "        raise AssertionError(\"the CPU waits for the GPU here\")\n\n"
                "    # The debug mode does not see these; nor does it see collectives, torchvision's nms and\n"
                "    # asynchronous copies of pageable memory.\n"
                "    monkeypatch.setattr(torch.cuda, \"synchronize\", refuse)\n"
                "    monkeypatch.setattr(torch.cuda.Event, \"synchronize\", refuse)\n"
                "    torch.cuda.set_sync_debug_mode(\"error\")\n"
                "    try:\n        run(");
    output_bytes(self->output, parameters);
    output_text(self->output, ")\n    finally:\n        torch.cuda.set_sync_debug_mode(\"default\")\n");
}

bool emit_test(Output *output, const Report *report, const char *function, Text *error) {
    Emit self = {.output = output, .arena = output->arena, .report = report, .error = error};
    if (!choose(&self, function) || !find_module(&self)) return false;
    if (is_bound(&self) && !is_decorated(&self, TEXT("classmethod"))) self.instance = TEXT("instance");
    write_head(&self);
    write_test(&self);
    return true;
}
