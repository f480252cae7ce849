#ifndef SYNCL_CHECK_H
#define SYNCL_CHECK_H
/* The command that analyses paths; answered from the cache where nothing changed. */
#include "run.h"

void check_inputs(Run *run, bool names_only);
Cache check_cache(const Run *run);
int check_paths(Run *run, const Rulebook *book, const char *invoked);

#endif
