#ifndef SYNCL_DUMP_RULEBOOK_H
#define SYNCL_DUMP_RULEBOOK_H
/* Prints a rulebook in the words of its pages, entry by entry in order of names; for people and for tests. */
#include "rulebook.h"
#include <stdio.h>

void dump_rulebook(FILE *out, const Rulebook *book);
void dump_entry(FILE *out, const Rulebook *book, EntryId entry); /* the entry and everything below it */

#endif
