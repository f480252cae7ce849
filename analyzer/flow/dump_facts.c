/* Debugging dumps of the middle steps. */
#include "dump_facts.h"
#include "dump_evidence.h"
#include "place.h"

static void put(FILE *out, Text text) {
    for (uint32_t i = 0; i < text.length && i < 300; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        if (byte == '\n') break;
        if (byte < 0x20 || byte >= 0x7f)
            fprintf(out, "\\x%02x", byte);
        else
            fputc(byte, out);
    }
}

static void put_place(FILE *out, const SourceFile *file, uint32_t offset) {
    Place position = place_shown(file, offset);
    put(out, file->path);
    fprintf(out, ":%u:%u: ", position.line, position.column);
}

static Text func_name(const FileModel *model, FuncId id) {
    const Func *func = &model->funcs.items[id];
    if (func->kind == FUNC_MODULE) return TEXT("<module>");
    if (func->kind == FUNC_LAMBDA) return TEXT("<lambda>");
    if (func->kind == FUNC_CLASS_BODY) return TEXT("<class>");
    return model_name(model, func->name);
}

void dump_facts(FILE *out, const Inference *inference, const GivenShape *given, uint32_t given_count) {
    Arena scratch = {0}, sized = {0};
    SizeOptions options = {.given = given, .given_count = given_count, .shapes = true};
    const Sizes *sizes = sizes_find(&sized, calls_summarise(&sized, inference, 1), NULL, 0, NULL, &options);
    for (ContextId id = 1; id < inference->contexts.count; id++) {
        const Context *context = inference->contexts.items[id];
        const SourceFile *file = &inference->program->files.items[context->file];
        const Func *func = &file->model->funcs.items[context->func];
        if (!file->reported) continue;
        fprintf(out, "context %u ", id);
        put(out, func_name(file->model, context->func));
        fprintf(out, " root %u evaluations %u\n", context->root, context->evaluations);
        for (ExprId e = func->first_expr; e < func->end_expr; e++) {
            const Value *value = infer_fact(context, file->model, e);
            if (!value) continue;
            Span span = file->model->exprs.items[e].span;
            fputs("  ", out);
            put_place(out, file, span.start);
            put(out, text_slice(file->bytes, span.start, span.end));
            fputs(" is ", out);
            put(out, infer_value_text(&scratch, inference, value));
            Text shape = size_shape(&scratch, sizes, context->file, e);
            if (shape.length) fputc(' ', out), put(out, shape);
            fputc('\n', out);
            arena_reset(&scratch);
        }
    }
    arena_free(&scratch);
    arena_free(&sized);
}

static void dump_loop(FILE *out, const CallGraph *graph, ContextId id, uint32_t at) {
    const Context *context = graph->inference->contexts.items[id];
    const SourceFile *file = &graph->inference->program->files.items[context->file];
    const Item *item = &graph->flows[id].items.items[at];
    Span span =
        item->loop ? file->model->loops.items[item->loop].head : file->model->exprs.items[item->expr].span;
    static const char *const NAMES[] = {"gpu",  "heavy",      "step",      "backward",
                                        "data", "holds-step", "holds-hot", "holds-site"};
    fputs("  loop ", out);
    put_place(out, file, span.start);
    put(out, text_slice(file->bytes, span.start, span.end));
    for (unsigned bit = 0; bit < 8; bit++)
        if (graph->regions[id].loops[at] >> bit & 1) fprintf(out, " %s", NAMES[bit]);
    fputc('\n', out);
}

void dump_calls(FILE *out, const Inference *inference) {
    Arena scratch = {0};
    const CallGraph *graph = calls_summarise(&scratch, inference, 1);
    for (ContextId id = 1; id < inference->contexts.count; id++) {
        const Context *context = inference->contexts.items[id];
        const SourceFile *file = &inference->program->files.items[context->file];
        fprintf(out, "context %u ", id);
        put(out, file->path);
        fputc(' ', out);
        put(out, func_name(file->model, context->func));
        fprintf(out, " root %u operations %.0f\n", context->root,
                graph->regions[id].work.operations + graph->regions[id].per_turn.operations);
        for (uint32_t i = 0; i < graph->flows[id].items.count; i++) {
            const Item *item = &graph->flows[id].items.items[i];
            if (item->kind == ITEM_LOOP) dump_loop(out, graph, id, i);
            if (item->kind != ITEM_CALL) continue;
            fprintf(out, "  calls %u ", item->callee);
            const Context *callee = inference->contexts.items[item->callee];
            put(out, func_name(inference->program->files.items[callee->file].model, callee->func));
            fputc('\n', out);
        }
    }
    arena_free(&scratch);
}

void dump_sites(FILE *out, const Program *program, const Rulebook *book, const Findings *findings) {
    for (SiteId id = 1; id < findings->sites.count; id++) {
        const Site *site = &findings->sites.items[id];
        const SourceFile *file = &program->files.items[site->file];
        put_place(out, file, site->span.start);
        put(out, rulebook_text(book, book->hazards[site->hazard].name));
        fprintf(out, " %s %s waits %.0f, ", confidence_word(site->confidence).bytes,
                site->level == LEVEL_WARNING ? "warning" : "note", site->waits);
        if (site->backward_waits > 0) fprintf(out, "in backward %.0f, ", site->backward_waits);
        put(out, site->entry);
        fputs(", ", out);
        put(out, site->frequency.text);
        dump_bits(out, site->evidence);
        fputc('\n', out);
    }
}
