#include "toml.h"
#include "toml_scalar.h"
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_toml(void);

enum { DEPTH_LIMIT = 200, FILE_LIMIT = 1 << 18 };

typedef struct Reader {
    Arena *result;
    Text bytes;
    TomlError *error;
    uint32_t depth;
} Reader;

/* ---- nodes ---- */

static bool is(TSNode node, const char *type) { return strcmp(ts_node_type(node), type) == 0; }
static uint32_t line_of(TSNode node) { return ts_node_start_point(node).row + 1; }
static Text token(const Reader *self, TSNode node) {
    return text_slice(self->bytes, ts_node_start_byte(node), ts_node_end_byte(node));
}

static bool fail(const Reader *self, uint32_t line, Text message) {
    *self->error = (TomlError){line, message};
    return false;
}

/* The grammar does not accept `\` with blanks between it and the line's end; toml_string does. */
static bool is_line_join(const Reader *self, TSNode node) {
    TSNode parent = ts_node_parent(node);
    uint32_t at = ts_node_start_byte(node);
    if (ts_node_is_null(parent) || !is(parent, "string") || at >= self->bytes.length) return false;
    if (self->bytes.bytes[at++] != '\\') return false;
    while (at < self->bytes.length && strchr(" \t\r", self->bytes.bytes[at])) at++;
    return at < self->bytes.length && self->bytes.bytes[at] == '\n' && ts_node_end_byte(node) <= at + 1;
}

/* False, with the error set, at the first place that the grammar could not parse. */
static bool is_whole(Reader *self, TSNode node) {
    if (self->depth >= DEPTH_LIMIT) return fail(self, line_of(node), TEXT("this is nested too deeply"));
    if (ts_node_is_error(node) || ts_node_is_missing(node)) {
        if (is_line_join(self, node)) return true;
        return fail(self, line_of(node), TEXT("this is not TOML"));
    }
    for (uint32_t i = 0; i < ts_node_child_count(node); i++) {
        TSNode child = ts_node_child(node, i);
        bool broken = ts_node_has_error(child) || ts_node_is_missing(child);
        self->depth++;
        bool good = !broken || is_whole(self, child);
        self->depth--;
        if (!good) return false;
    }
    return true;
}

/* A missing line end is a hidden node, so the bytes are checked. */
static bool ends_line(const Reader *self, TSNode node) {
    uint32_t at = ts_node_end_byte(node);
    while (at < self->bytes.length && strchr(" \t\r", self->bytes.bytes[at])) at++;
    if (at >= self->bytes.length || self->bytes.bytes[at] == '\n' || self->bytes.bytes[at] == '#') return true;
    return fail(self, ts_node_end_point(node).row + 1, TEXT("something follows on the same line"));
}

/* ---- tables ---- */

static TomlValue *new_value(const Reader *self, TomlKind kind, TomlOrigin origin, uint32_t line) {
    TomlValue *value = arena_new(self->result, TomlValue, 1);
    value->kind = kind;
    value->origin = origin;
    value->line = line;
    return value;
}

const TomlPair *toml_find(const TomlValue *table, Text key) {
    if (!table || table->kind != TOML_TABLE) return NULL;
    for (uint32_t i = 0; i < table->pairs.count; i++)
        if (text_equal(table->pairs.items[i].key, key)) return &table->pairs.items[i];
    return NULL;
}

static void add(const Reader *self, TomlValue *table, Text key, TomlValue *value, uint32_t line) {
    vec_push(self->result, &table->pairs, ((TomlPair){key, line, value}));
}

static bool fail_twice(const Reader *self, uint32_t line, Text key, const TomlPair *first) {
    return fail(self, line,
                text_format(self->result, "'%.*s' is already defined on line %u", SHOWN(key), first->line));
}

/* ---- keys ---- */

typedef VEC(Text) Keys;

/* a.b.c nests as (a.b).c. */
static bool read_keys(Reader *self, TSNode node, Keys *keys) {
    if (self->depth >= DEPTH_LIMIT) return fail(self, line_of(node), TEXT("this is nested too deeply"));
    if (is(node, "dotted_key")) {
        self->depth++;
        for (uint32_t i = 0; i < ts_node_named_child_count(node); i++)
            if (!read_keys(self, ts_node_named_child(node, i), keys)) return false;
        self->depth--;
        return true;
    }
    Text key = token(self, node);
    if (is(node, "quoted_key")) {
        const char *wrong = key.length > 2 && key.bytes[1] == key.bytes[0] && key.bytes[2] == key.bytes[0]
                                ? "a key may not have several lines"
                                : toml_string(self->result, key, &key);
        if (wrong) return fail(self, line_of(node), text_of(wrong));
    }
    vec_push(self->result, keys, key);
    return true;
}

/* The first child that is a key; *value is the child after it. */
static TSNode key_of(TSNode node, TSNode *value) {
    TSNode found[2] = {{{0}, NULL, NULL}, {{0}, NULL, NULL}};
    for (uint32_t i = 0, count = 0; i < ts_node_named_child_count(node) && count < 2; i++) {
        TSNode child = ts_node_named_child(node, i);
        if (!is(child, "comment")) found[count++] = child;
    }
    *value = found[1];
    return found[0];
}

/* ---- values ---- */

static bool read_value(Reader *self, TSNode node, TomlValue **out);
static bool read_pair(Reader *self, TSNode node, TomlValue *table);

static bool read_scalar(const Reader *self, TSNode node, TomlValue *value) {
    static const struct {
        const char *type;
        TomlKind kind;
    } dates[] = {{"offset_date_time", TOML_OFFSET_DATE_TIME},
                 {"local_date_time", TOML_LOCAL_DATE_TIME},
                 {"local_date", TOML_LOCAL_DATE},
                 {"local_time", TOML_LOCAL_TIME}};
    const char *wrong = "this is not a value";
    Text text = value->text = token(self, node);
    if (is(node, "string")) wrong = (value->kind = TOML_STRING, toml_string(self->result, text, &value->text));
    if (is(node, "integer")) wrong = (value->kind = TOML_INTEGER, toml_integer(text, value));
    if (is(node, "float")) wrong = (value->kind = TOML_FLOAT, toml_float(text, value));
    if (is(node, "boolean")) {
        value->kind = TOML_BOOLEAN;
        value->boolean = text_equal(text, TEXT("true"));
        wrong = NULL;
    }
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++)
        if (is(node, dates[i].type)) wrong = toml_date(text, value->kind = dates[i].kind);
    return wrong ? fail(self, line_of(node), text_of(wrong)) : true;
}

static bool read_array(Reader *self, TSNode node, TomlValue *array) {
    array->kind = TOML_ARRAY;
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        TSNode child = ts_node_named_child(node, i);
        TomlValue *item;
        if (is(child, "comment")) continue;
        if (!read_value(self, child, &item)) return false;
        vec_push(self->result, &array->items, item);
    }
    return true;
}

/* TOML 1.0: an inline table must be on one line, except inside its values, and have no trailing comma. */
static bool is_laid_out(const Reader *self, TSNode node) {
    uint32_t row = ts_node_start_point(node).row;
    bool comma = false;
    for (uint32_t i = 0; i < ts_node_child_count(node); i++) {
        TSNode child = ts_node_child(node, i);
        if (ts_node_start_point(child).row != row || is(child, "comment")) return false;
        if (is(child, "}") && comma) return false;
        comma = is(child, ",");
        row = ts_node_end_point(child).row;
    }
    (void)self;
    return true;
}

static bool read_inline(Reader *self, TSNode node, TomlValue *table) {
    table->kind = TOML_TABLE;
    if (!is_laid_out(self, node))
        return fail(self, line_of(node), TEXT("an inline table stands on one line and ends without a comma"));
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++)
        if (!read_pair(self, ts_node_named_child(node, i), table)) return false;
    return true;
}

static bool read_value(Reader *self, TSNode node, TomlValue **out) {
    TomlValue *value = *out = new_value(self, TOML_STRING, TOML_INLINE, line_of(node));
    if (self->depth >= DEPTH_LIMIT) return fail(self, value->line, TEXT("this is nested too deeply"));
    self->depth++;
    bool good = is(node, "array")          ? read_array(self, node, value)
                : is(node, "inline_table") ? read_inline(self, node, value)
                                           : read_scalar(self, node, value);
    self->depth--;
    return good;
}

/* ---- pairs ---- */

static TomlValue *new_table(const Reader *self, TomlValue *parent, Text key, TomlOrigin origin, uint32_t line) {
    TomlValue *made = new_value(self, TOML_TABLE, origin, line);
    add(self, parent, key, made, line);
    return made;
}

/* a.b in a.b.c = 1: dotted keys may add only to tables that dotted keys made. */
static TomlValue *dotted_table(const Reader *self, TomlValue *table, Text key, uint32_t line) {
    const TomlPair *pair = toml_find(table, key);
    if (!pair) return new_table(self, table, key, TOML_DOTTED, line);
    bool open = pair->value->kind == TOML_TABLE && pair->value->origin == TOML_DOTTED;
    if (!open) fail_twice(self, line, key, pair);
    return open ? pair->value : NULL;
}

static bool read_pair(Reader *self, TSNode node, TomlValue *table) {
    Keys keys = {0};
    TSNode value_node, key_node = key_of(node, &value_node);
    uint32_t line = line_of(node);
    if (ts_node_is_null(value_node)) return fail(self, line, TEXT("a key has no value"));
    if (ts_node_end_point(key_node).row != ts_node_start_point(key_node).row ||
        ts_node_start_point(value_node).row != line - 1)
        return fail(self, line, TEXT("a key and its value begin on one line"));
    if (!read_keys(self, key_node, &keys)) return false;
    for (uint32_t i = 0; i + 1 < keys.count; i++)
        if (!(table = dotted_table(self, table, keys.items[i], line))) return false;
    Text key = keys.items[keys.count - 1];
    const TomlPair *first = toml_find(table, key);
    if (first) return fail_twice(self, line, key, first);
    TomlValue *value;
    if (!read_value(self, value_node, &value)) return false;
    add(self, table, key, value, line);
    return true;
}

/* A pair must have its line for itself. */
static bool read_line(Reader *self, TSNode node, TomlValue *table) {
    TSNode value;
    (void)key_of(node, &value);
    return read_pair(self, node, table) && ends_line(self, value);
}

/* ---- headers ---- */

/* [a.b.c] steps through a and b, and into the last element of an array of tables. */
static TomlValue *passed_table(const Reader *self, TomlValue *table, Text key, uint32_t line) {
    const TomlPair *pair = toml_find(table, key);
    if (!pair) return new_table(self, table, key, TOML_IMPLICIT, line);
    TomlValue *value = pair->value;
    if (value->origin == TOML_HEADERS) return value->items.items[value->items.count - 1];
    if (value->kind == TOML_TABLE && value->origin != TOML_INLINE) return value;
    return fail_twice(self, line, key, pair), NULL;
}

static TomlValue *open_table(const Reader *self, TomlValue *parent, Text key, uint32_t line) {
    const TomlPair *pair = toml_find(parent, key);
    if (!pair) return new_table(self, parent, key, TOML_HEADER, line);
    bool implicit = pair->value->kind == TOML_TABLE && pair->value->origin == TOML_IMPLICIT;
    if (!implicit) return fail_twice(self, line, key, pair), NULL;
    pair->value->origin = TOML_HEADER;
    pair->value->line = line;
    return pair->value;
}

static TomlValue *open_element(const Reader *self, TomlValue *parent, Text key, uint32_t line) {
    const TomlPair *pair = toml_find(parent, key);
    if (pair && pair->value->origin != TOML_HEADERS) return fail_twice(self, line, key, pair), NULL;
    TomlValue *array = pair ? pair->value : new_value(self, TOML_ARRAY, TOML_HEADERS, line);
    if (!pair) add(self, parent, key, array, line);
    TomlValue *made = new_value(self, TOML_TABLE, TOML_HEADER, line);
    vec_push(self->result, &array->items, made);
    return made;
}

static bool read_section(Reader *self, TSNode node, TomlValue *root) {
    Keys keys = {0};
    TSNode unused, key_node = key_of(node, &unused);
    uint32_t line = line_of(node);
    TSNode bracket = ts_node_next_sibling(key_node);
    if (!read_keys(self, key_node, &keys) || !ends_line(self, bracket)) return false;
    if (ts_node_start_point(key_node).row != line - 1 || ts_node_end_point(key_node).row != line - 1)
        return fail(self, line, TEXT("a table's header stands on one line"));
    TomlValue *table = root;
    for (uint32_t i = 0; i + 1 < keys.count; i++)
        if (!(table = passed_table(self, table, keys.items[i], line))) return false;
    Text last = keys.items[keys.count - 1];
    table = is(node, "table") ? open_table(self, table, last, line) : open_element(self, table, last, line);
    for (uint32_t i = 0; table && i < ts_node_named_child_count(node); i++) {
        TSNode child = ts_node_named_child(node, i);
        if (is(child, "pair") && !read_line(self, child, table)) return false;
    }
    return table != NULL;
}

/* ---- the file ---- */

static TomlValue *read_document(Reader *self, TSNode document) {
    TomlValue *root = new_value(self, TOML_TABLE, TOML_HEADER, 1);
    if (!is_whole(self, document)) return NULL;
    for (uint32_t i = 0; i < ts_node_named_child_count(document); i++) {
        TSNode child = ts_node_named_child(document, i);
        if (is(child, "comment")) continue;
        if (!(is(child, "pair") ? read_line(self, child, root) : read_section(self, child, root))) return NULL;
    }
    return root;
}

static uint32_t line_at(Text bytes, uint32_t end) {
    uint32_t line = 1;
    for (uint32_t i = 0; i < end; i++) line += bytes.bytes[i] == '\n';
    return line;
}

const TomlValue *toml_read(Arena *result, Text bytes, TomlError *error) {
    Reader self = {.result = result, .bytes = bytes, .error = error};
    uint32_t bad = toml_first_bad(bytes);
    if (bytes.length > FILE_LIMIT) return fail(&self, 1, TEXT("the file is larger than 256 KiB")), NULL;
    if (bad < bytes.length)
        return fail(&self, line_at(bytes, bad), TEXT("a byte that is not UTF-8, or a control character")), NULL;
    if (text_starts(bytes, TEXT("\xEF\xBB\xBF"))) self.bytes = bytes = text_slice(bytes, 3, bytes.length);
    TSParser *parser = ts_parser_new();
    TomlValue *root = NULL;
    if (ts_parser_set_language(parser, tree_sitter_toml())) {
        TSTree *tree = ts_parser_parse_string(parser, NULL, bytes.bytes, bytes.length);
        root = read_document(&self, ts_tree_root_node(tree));
        ts_tree_delete(tree);
    } else {
        fail(&self, 1, TEXT("this build's TOML grammar does not fit its tree-sitter"));
    }
    ts_parser_delete(parser);
    return root;
}

const char *toml_kind_name(TomlKind kind) {
    static const char *const names[] = {"a string",        "a whole number",  "a number", "true or false",
                                        "a date and time", "a date and time", "a date",   "a time",
                                        "an array",        "a table"};
    return names[kind];
}
