/* Values as text, and the chain of origins that makes one a GPU tensor. */
#include "describe.h"

static Text tensor_text(Arena *arena, const Alt *alt) {
    static const char *const DEVICES[] = {"tensor", "cpu", "cuda", "owner"};
    static const char *const DTYPES[] = {"", " bool", " int", " float"};
    return text_format(arena, "%s%s%s%s%s", DEVICES[alt->device], DTYPES[alt->dtype],
                       alt->dims == DIMS_SCALAR ? " scalar" : "", alt->pinned == TRI_YES ? " pinned" : "",
                       alt->belief == 0          ? ""
                       : alt->belief == BELIEVED ? " likely"
                                                 : " possible");
}

static Text alt_text(Arena *arena, const Inference *inference, const Alt *alt) {
    static const char *const KINDS[] = {
#define KIND(name, text) text,
#include "kinds.def"
    };
    static const char *const NAMES[] = {"list", "size", "tuple", "dict", "set", "iterator", "parts"};
    if (alt->kind == KIND_TENSOR) return tensor_text(arena, alt);
    if (alt->kind == KIND_CONTAINER)
        return text_of(NAMES[inference->flavours ? inference->flavours[alt->object]
                                                 : infer_object(inference, alt->object)->flavour]);
    if (alt->kind == KIND_DEVICE)
        return text_of(alt->device == DEVICE_CUDA  ? "device cuda"
                       : alt->device == DEVICE_CPU ? "device cpu"
                                                   : "device");
    if (alt->kind != KIND_OBJECT && alt->kind != KIND_INSTANCE) return text_of(KINDS[alt->kind]);
    const char *where = alt->device == DEVICE_CUDA ? " cuda" : alt->device == DEVICE_CPU ? " cpu" : "";
    Text name = TEXT("instance");
    if (alt->kind == KIND_OBJECT)
        name = rulebook_text(inference->book, inference->book->entries[alt->id].qualified);
    return text_format(arena, "%.*s%s", (int)name.length, name.bytes, where);
}

Text infer_value_text(Arena *arena, const Inference *inference, const Value *value) {
    if (!value) return TEXT("nothing");
    Text text = {0};
    for (uint32_t i = 0; i < value->count; i++) {
        Text alt = alt_text(arena, inference, &value->alts[i]);
        text = text_format(arena, "%.*s%s%.*s", (int)text.length, text.bytes, i ? " | " : "", (int)alt.length,
                           alt.bytes);
    }
    return text;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\'; }

/* On one line: line breaks and indents become one blank, or none after an opening bracket. */
Text infer_line(Arena *arena, Text source) {
    char line[64];
    uint32_t count = 0, at = 0;
    for (; at < source.length && count < 60; at++) {
        char c = source.bytes[at];
        char last = count ? line[count - 1] : '(';
        bool opens = last == '(' || last == '[' || last == '{' || last == ' ';
        if (!is_blank(c))
            line[count++] = c;
        else if (!opens)
            line[count++] = ' ';
    }
    while (count && line[count - 1] == ' ') count--;
    return text_format(arena, "%.*s%s", (int)count, line, at < source.length ? "..." : "");
}

Text infer_source(Arena *arena, const SourceFile *file, Span span) {
    return infer_line(arena, text_slice(file->bytes, span.start, span.end));
}

/* For an annotation, the span that includes the parameter: `x: Tensor`. */
static Span with_name(const SourceFile *file, Span span) {
    const char *bytes = file->bytes.bytes;
    uint32_t at = span.start;
    while (at > 0 && bytes[at - 1] == ' ') at--;
    if (at == 0 || bytes[at - 1] != ':') return span;
    at--;
    uint32_t end = at;
    while (at > 0 &&
           (bytes[at - 1] == '_' || (bytes[at - 1] >= '0' && bytes[at - 1] <= '9') ||
            (bytes[at - 1] >= 'a' && bytes[at - 1] <= 'z') || (bytes[at - 1] >= 'A' && bytes[at - 1] <= 'Z')))
        at--;
    if (at < end) span.start = at;
    return span;
}

uint32_t infer_explain(Arena *arena, const Inference *inference, OriginId origin, Reason *reasons,
                       uint32_t most) {
    static const char *const FORMATS[] = {
        [ORIGIN_RESULT] = "`%.*s` gives a GPU tensor",
        [ORIGIN_MOVED] = "moved to the GPU by `%.*s`",
        [ORIGIN_MADE] = "made on the GPU by `%.*s`",
        [ORIGIN_DEVICE] = "`%.*s` is the GPU",
        [ORIGIN_MODEL] = "the module runs on the GPU in training: `%.*s`",
        [ORIGIN_PARAMETER] = "by convention a GPU tensor or module is passed here: `%.*s`",
        [ORIGIN_ARGUMENT] = "`%.*s` names the run's device, by convention a GPU",
        [ORIGIN_ATTRIBUTE] = "kept in `%.*s`",
        [ORIGIN_USE] = "used as only GPU tensors are: `%.*s`",
        [ORIGIN_NAME] = "`%.*s` names the run's device, by convention a GPU",
        [ORIGIN_ASSIGNED] = "assigned by `%.*s`"};
    uint32_t count = 0;
    for (OriginId at = origin; at && count < most; at = inference->values.origins.items[at].parent) {
        const Origin *link = &inference->values.origins.items[at];
        const SourceFile *file = &inference->program->files.items[link->file];
        Span shown = link->kind == ORIGIN_PARAMETER ? with_name(file, link->span) : link->span;
        Text source = infer_source(arena, file, shown);
        reasons[count++] =
            (Reason){.role = ROLE_GPU,
                     .file = link->file,
                     .span = link->span,
                     .text = text_format(arena, FORMATS[link->kind], (int)source.length, source.bytes)};
    }
    return count;
}
