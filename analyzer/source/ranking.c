/* Orders functions and classes by name and text, independent of their position in a file. */
#include "ranking.h"

static int by_number(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static Text text_at(const SourceFile *file, Span span) { return text_slice(file->bytes, span.start, span.end); }

static Text name_of_class(const SourceFile *file, ClassId id) {
    return id ? model_name(file->model, file->model->classes.items[id].name) : (Text){0};
}

int rank_funcs(const SourceFile *file, FuncId a, FuncId b) {
    const Func *left = &file->model->funcs.items[a], *right = &file->model->funcs.items[b];
    int order = text_compare(model_name(file->model, left->name), model_name(file->model, right->name));
    if (!order) order = text_compare(name_of_class(file, left->class_id), name_of_class(file, right->class_id));
    if (!order) order = text_compare(text_at(file, left->span), text_at(file, right->span));
    return order ? order : by_number(a, b);
}

int rank_global_funcs(const Program *program, GlobalFunc a, GlobalFunc b) {
    FileId left = program_file_of_func(program, a), right = program_file_of_func(program, b);
    const SourceFile *file = &program->files.items[left];
    return left != right ? by_number(left, right) : rank_funcs(file, a - file->func_base, b - file->func_base);
}

int rank_global_classes(const Program *program, GlobalClass a, GlobalClass b) {
    FileId left = program_file_of_class(program, a), right = program_file_of_class(program, b);
    const SourceFile *file = &program->files.items[left];
    if (left != right) return by_number(left, right);
    const Class *first = &file->model->classes.items[a - file->class_base],
                *second = &file->model->classes.items[b - file->class_base];
    int order = text_compare(model_name(file->model, first->name), model_name(file->model, second->name));
    if (!order) order = text_compare(text_at(file, first->span), text_at(file, second->span));
    return order ? order : by_number(a, b);
}
