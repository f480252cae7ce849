#include "draft.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

TextId draft_text(Draft *draft, Text text) { return text.length ? names_intern(&draft->texts, text) : 0; }

Text draft_name(const Draft *draft, TextId text) { return names_text(&draft->texts, text); }

void draft_fail(Draft *draft, DraftPlace place, const char *format, ...) {
    char line[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    DraftError error = {.place = place, .what = text_format(draft->arena, "%s", line)};
    vec_push(draft->arena, &draft->errors, error);
}

static Text qualified(const Draft *draft, EntryId parent, Text name) {
    Text above = draft_name(draft, draft->entries.items[parent].entry.qualified);
    if (!above.length) return name;
    return text_format(draft->arena, "%.*s.%.*s", SHOWN(above), SHOWN(name));
}

static EntryId add_entry(Draft *draft, EntryId parent, Text name, DraftPlace place) {
    DraftEntry made = {.place = place};
    made.entry.name = draft_text(draft, name);
    made.entry.qualified = draft_text(draft, qualified(draft, parent, name));
    made.entry.parent = parent;
    vec_push(draft->arena, &draft->entries, made);
    return draft->entries.count - 1;
}

static EntryId own_child(const Draft *draft, EntryId parent, TextId name) {
    const DraftEntry *entry = &draft->entries.items[parent];
    for (uint32_t i = 0; name && i < entry->children.count; i++)
        if (draft->entries.items[entry->children.items[i]].entry.name == name) return entry->children.items[i];
    return 0;
}

EntryId draft_child(Draft *draft, EntryId parent, Text name, DraftPlace place) {
    EntryId child = own_child(draft, parent, draft_text(draft, name));
    if (child) return child;
    child = add_entry(draft, parent, name, place);
    vec_push(draft->arena, &draft->entries.items[parent].children, child);
    return child;
}

EntryId draft_fallback(Draft *draft, EntryId parent, DraftPlace place) {
    if (!draft->entries.items[parent].entry.fallback) {
        EntryId made = add_entry(draft, parent, TEXT("__default__"), place);
        draft->entries.items[made].entry.kind = ENTRY_FUNCTION;
        draft->entries.items[parent].entry.fallback = made;
    }
    return draft->entries.items[parent].entry.fallback;
}

/* The first component of a dotted name; *rest is what follows its dot. */
static Text head_of(Text dotted, Text *rest) {
    uint32_t end = 0;
    while (end < dotted.length && dotted.bytes[end] != '.') end++;
    *rest = end < dotted.length ? text_slice(dotted, end + 1, dotted.length) : (Text){0};
    return text_slice(dotted, 0, end);
}

EntryId draft_path(Draft *draft, Text dotted, DraftPlace place) {
    EntryId at = DRAFT_ROOT;
    while (dotted.length) at = draft_child(draft, at, head_of(dotted, &dotted), place);
    return at;
}

static EntryId resolved(Draft *draft, EntryId entry);

static EntryId find_below(Draft *draft, EntryId from, Text dotted) {
    EntryId at = from;
    while (at && dotted.length) {
        Text head = head_of(dotted, &dotted);
        at = text_equal(head, TEXT("__default__"))
                 ? draft->entries.items[at].entry.fallback
                 : resolved(draft, own_child(draft, at, names_find(&draft->texts, head)));
    }
    return at;
}

EntryId draft_find(Draft *draft, EntryId scope, Text dotted) {
    draft->alias_cycle = false;
    EntryId found = find_below(draft, DRAFT_ROOT, dotted);
    for (EntryId at = scope; !found && at; at = draft->entries.items[at].entry.parent)
        found = find_below(draft, at, dotted);
    return found;
}

static EntryId resolved(Draft *draft, EntryId entry) {
    DraftEntry *alias = &draft->entries.items[entry];
    if (alias->entry.kind != ENTRY_ALIAS || alias->alias_state == 2)
        return alias->entry.kind == ENTRY_ALIAS ? alias->entry.target : entry;
    if (alias->alias_state == 1) {
        draft->alias_cycle = true;
        return 0;
    }
    alias->alias_state = 1;
    alias->entry.target = draft_find(draft, alias->entry.parent, alias->alias_of);
    alias->alias_state = 2;
    if (!alias->entry.target)
        draft_fail(draft, alias->place,
                   draft->alias_cycle ? "alias '%.*s' leads back to itself" : "unknown name '%.*s'",
                   SHOWN(alias->alias_of));
    return alias->entry.target;
}

void draft_resolve_aliases(Draft *draft) {
    for (EntryId i = 1; i < draft->entries.count; i++) resolved(draft, i);
}

TermId draft_term(Draft *draft, Term term, const TermId *arguments, uint32_t count) {
    term.first = draft->term_links.count;
    term.count = count;
    for (uint32_t i = 0; i < count; i++) vec_push(draft->arena, &draft->term_links, arguments[i]);
    vec_push(draft->arena, &draft->terms, term);
    return draft->terms.count - 1;
}

/* ---- starting ---- */
#define COPY_TABLE(draft, table, from, length) \
    for (uint32_t i_ = 0; i_ < (length); i_++) vec_push((draft)->arena, &(draft)->table, (from)[i_])

static void copy_entry(Draft *draft, const Rulebook *base, EntryId id) {
    const Entry *entry = &base->entries[id];
    DraftEntry copy = {.entry = *entry, .alias_state = 2};
    for (uint32_t i = 0; i < entry->child_count; i++)
        vec_push(draft->arena, &copy.children, base->entry_links[entry->first_child + i]);
    for (uint32_t i = 0; i < entry->base_count; i++)
        vec_push(draft->arena, &copy.bases, base->entry_links[entry->first_base + i]);
    for (uint32_t i = 0; i < entry->clause_count; i++)
        vec_push(draft->arena, &copy.clauses, entry->first_clause + i);
    vec_push(draft->arena, &draft->entries, copy);
}

static void copy_base(Draft *draft, const Rulebook *base) {
    for (TextId i = 1; i < base->text_count; i++) /* interned in order, so that the ids stay the same */
        names_intern(&draft->texts, base->texts[i]);
    for (EntryId i = 0; i < base->entry_count; i++) copy_entry(draft, base, i);
    COPY_TABLE(draft, clauses, base->clauses, base->clause_count);
    COPY_TABLE(draft, params, base->params, base->param_count);
    COPY_TABLE(draft, effects, base->effects, base->effect_count);
    COPY_TABLE(draft, terms, base->terms, base->term_count);
    COPY_TABLE(draft, term_links, base->term_links, base->term_link_count);
    COPY_TABLE(draft, hazards, base->hazards, base->hazard_count);
    COPY_TABLE(draft, remedies, base->remedies, base->remedy_count);
    COPY_TABLE(draft, pages, base->pages, base->page_count);
    COPY_TABLE(draft, conventions, base->conventions, base->convention_count);
}

void draft_begin(Draft *draft, Arena *arena, const Rulebook *base) {
    *draft = (Draft){.arena = arena};
    draft->texts.arena = arena;
    if (base) {
        copy_base(draft, base);
        return;
    }
    vec_push(arena, &draft->entries, (DraftEntry){0});
    vec_push(arena, &draft->entries, (DraftEntry){.entry = {.kind = ENTRY_MODULE}});
    vec_push(arena, &draft->clauses, (Clause){0});
    vec_push(arena, &draft->params, (RuleParam){0});
    vec_push(arena, &draft->effects, (RuleEffect){0});
    vec_push(arena, &draft->terms, (Term){0});
    vec_push(arena, &draft->term_links, 0);
    vec_push(arena, &draft->hazards, (Hazard){0});
    vec_push(arena, &draft->pages, 0);
    vec_push(arena, &draft->remedies, (Remedy){0});
}
