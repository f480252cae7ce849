#include "dump_rulebook.h"
#include "conventions.h"

/* `clause` is the one whose parameters TERM_PARAM refers to; NULL for an attribute, whose only parameter is
   self. */
typedef struct Printer {
    FILE *out;
    const Rulebook *book;
    const Clause *clause;
} Printer;

static void print_term(const Printer *printer, TermId id);

static void print_text(const Printer *printer, TextId id) {
    Text text = rulebook_text(printer->book, id);
    fprintf(printer->out, "%.*s", (int)text.length, text.length ? text.bytes : "");
}

static void print_terms(const Printer *printer, uint32_t first, uint32_t count, const char *between) {
    for (uint32_t i = 0; i < count; i++) {
        if (i) fputs(between, printer->out);
        print_term(printer, printer->book->term_links[first + i]);
    }
}

static void print_joined(const Printer *printer, const Term *term, const char *between) {
    fputc('(', printer->out);
    print_terms(printer, term->first, term->count, between);
    fputc(')', printer->out);
}

static void print_word(const Printer *printer, const Term *term) {
    fputs(rulebook_word((Word)term->word), printer->out);
    if (term->count) print_joined(printer, term, ", ");
}

static void print_param_name(const Printer *printer, int32_t index) {
    if (printer->clause)
        print_text(printer, printer->book->params[printer->clause->first_param + (uint32_t)index].name);
    else
        fputs("self", printer->out);
}

static void print_term(const Printer *printer, TermId id) {
    const Term *term = &printer->book->terms[id];
    switch ((TermKind)term->kind) {
    case TERM_NO: fputs("?", printer->out); return;
    case TERM_WORD: print_word(printer, term); return;
    case TERM_PARAM: print_param_name(printer, term->value); return;
    case TERM_INT: fprintf(printer->out, "%d", term->value); return;
    case TERM_TEXT:
        fputc('"', printer->out);
        print_text(printer, (TextId)term->value);
        fputc('"', printer->out);
        return;
    case TERM_TRUE: fputs("True", printer->out); return;
    case TERM_FALSE: fputs("False", printer->out); return;
    case TERM_NULL: fputs("None", printer->out); return;
    case TERM_ENTRY: print_text(printer, printer->book->entries[term->value].qualified); return;
    case TERM_AND: print_joined(printer, term, " & "); return;
    case TERM_OR: print_joined(printer, term, " | "); return;
    case TERM_ADD: print_joined(printer, term, " + "); return;
    case TERM_MULTIPLY: print_joined(printer, term, " * "); return;
    case TERM_NOT:
        fputc('~', printer->out);
        print_terms(printer, term->first, term->count, "");
        return;
    case TERM_NAMED:
        print_text(printer, (TextId)term->value);
        fputc('=', printer->out);
        print_terms(printer, term->first, term->count, "");
        return;
    }
}

static void print_param(const Printer *printer, const RuleParam *param) {
    static const char *const stars[] = {"", "*", "**"};
    fputs(stars[param->star], printer->out);
    print_text(printer, param->name);
    if (param->condition) {
        fputs(": ", printer->out);
        print_term(printer, param->condition);
    }
    if (!param->has_default) return;
    fputs("=", printer->out);
    if (param->fallback)
        print_term(printer, param->fallback);
    else
        fputs("...", printer->out);
}

static void print_params(const Printer *printer) {
    const Clause *clause = printer->clause;
    bool starred = false;
    for (uint32_t i = 0; i < clause->param_count; i++) {
        const RuleParam *param = &printer->book->params[clause->first_param + i];
        if (i) fputs(", ", printer->out);
        if (param->keyword_only && !starred) fputs("*, ", printer->out);
        starred |= param->star || param->keyword_only;
        print_param(printer, param);
    }
}

static void print_effects(const Printer *printer) {
    const Clause *clause = printer->clause;
    for (uint32_t i = 0; i < clause->effect_count; i++) {
        const RuleEffect *effect = &printer->book->effects[clause->first_effect + i];
        fprintf(printer->out, " @%s", rulebook_word((Word)effect->word));
        if (!effect->count) continue;
        fputc('(', printer->out);
        print_terms(printer, effect->first, effect->count, ", ");
        fputc(')', printer->out);
    }
    if (!clause->when) return;
    fputs(" @when(", printer->out);
    print_term(printer, clause->when);
    fputc(')', printer->out);
}

static void print_clause(FILE *out, const Rulebook *book, const Clause *clause) {
    Printer printer = {out, book, clause};
    fputs("  (", out);
    print_params(&printer);
    fputs(")", out);
    if (clause->returns) {
        fputs(" -> ", out);
        print_term(&printer, clause->returns);
    }
    print_effects(&printer);
    Text hazard = clause->hazard ? rulebook_text(book, book->hazards[clause->hazard].name) : TEXT("api");
    fprintf(out, " [%.*s:%u]\n", SHOWN(hazard), clause->line);
}

static void print_head(const Printer *printer, const Entry *entry) {
    static const char *const nouns[] = {"?", "module", "class", "function", "value", "alias"};
    fprintf(printer->out, "%s ", nouns[entry->kind]);
    print_text(printer, entry->qualified);
    for (uint32_t i = 0; i < entry->base_count; i++) {
        fputs(i ? ", " : "(", printer->out);
        print_text(printer,
                   printer->book->entries[printer->book->entry_links[entry->first_base + i]].qualified);
    }
    if (entry->base_count) fputs(")", printer->out);
    if (entry->kind == ENTRY_ALIAS) {
        fputs(" = ", printer->out);
        print_text(printer, printer->book->entries[entry->target].qualified);
    }
    if (entry->value) {
        fputs(": ", printer->out);
        print_term(printer, entry->value);
    }
    fputc('\n', printer->out);
}

void dump_entry(FILE *out, const Rulebook *book, EntryId id) {
    const Entry *entry = &book->entries[id];
    Printer printer = {.out = out, .book = book};
    if (id != book->root) print_head(&printer, entry);
    for (uint32_t i = 0; i < entry->clause_count; i++)
        print_clause(out, book, &book->clauses[entry->first_clause + i]);
    if (entry->fallback) dump_entry(out, book, entry->fallback);
    for (uint32_t i = 0; i < entry->child_count; i++)
        dump_entry(out, book, book->entry_links[entry->first_child + i]);
}

void dump_rulebook(FILE *out, const Rulebook *book) {
    for (HazardId i = 1; i < book->hazard_count; i++) {
        Text code = rulebook_text(book, book->hazards[i].code),
             name = rulebook_text(book, book->hazards[i].name);
        fprintf(out, "hazard %.*s %.*s\n", SHOWN(code), SHOWN(name));
    }
    for (uint32_t i = 0; i < book->convention_count; i++) {
        const ConventionRow *row = &book->conventions[i];
        Text text = rulebook_text(book, row->text);
        fprintf(out, "%s %s%.*s%s\n", named_word((Named)row->word), row->shape == ROW_END ? "*" : "",
                SHOWN(text), row->shape == ROW_START ? "*" : "");
    }
    dump_entry(out, book, book->root);
}
