/* How often a site runs, and what a hot loop is called. */
#include "site_words.h"
#include "cost_text.h"

static Text often(Arena *arena, const Frequency *frequency) {
    const char *unit = unit_one(frequency->unit), *units = unit_many(frequency->unit);
    if (frequency->whole) unit = "training run", units = "training runs";
    if (frequency->unit == UNIT_NONE) return TEXT("once per run");
    const char *rank = frequency->rank_guarded ? ", on one rank, for which the others wait" : "";
    if (frequency->unit == UNIT_EPOCH && frequency->times == 1)
        return text_format(arena, "once per %s%s", unit, rank);
    if (frequency->every == 0)
        return text_format(arena, "now and then: once in some number of %s%s", units, rank);
    if (frequency->every > 1) return text_format(arena, "once in %u %s%s", frequency->every, units, rank);
    if (frequency->times > 1) return text_format(arena, "%.0f times every %s%s", frequency->times, unit, rank);
    if (frequency->times <= 0) return text_format(arena, "several times every %s%s", unit, rank);
    return text_format(arena, "every %s%s", unit, rank);
}

Text frequency_text(Arena *arena, const Frequency *frequency) {
    Text text = often(arena, frequency), only = cost_text_only(arena, frequency);
    return only.length
               ? text_format(arena, "%.*s%.*s", (int)text.length, text.bytes, (int)only.length, only.bytes)
               : text;
}

Text loop_name(Arena *arena, const Program *program, const Rate *rate) {
    const SourceFile *file = &program->files.items[rate->loop_file];
    Text head = infer_source(arena, file, rate->loop_head);
    const Func *func = &file->model->funcs.items[rate->loop_func];
    Text name = func->name ? model_name(file->model, func->name) : (Text){0};
    while (head.length && (head.bytes[head.length - 1] == ':' || head.bytes[head.length - 1] == ' '))
        head.length--;
    bool whole = rate->unit == UNIT_EPOCH && rate->whole;
    const char *unit = whole ? "training run" : unit_one(rate->unit);
    if (!name.length || rate->item == UINT32_MAX)
        return text_format(arena, "%s of `%.*s`", unit, (int)head.length, head.bytes);
    return text_format(arena, "%s of `%.*s` in %.*s()", unit, (int)head.length, head.bytes, (int)name.length,
                       name.bytes);
}
