#ifndef SYNCL_TEAM_H
#define SYNCL_TEAM_H
/* Threads that share work: how many to use here, and running them. The results must not depend on which member
   takes which piece; then the output does not either. */
#include <stddef.h>
#include <stdint.h>

enum { TEAM_LIMIT = 64 }; /* most threads that --threads may ask for */

/* Threads worth using: the cores that we may be scheduled on, or a container's quota where that is smaller, at
   most 16 (with more, too little is left for each). root: "", or a folder that stands for / in tests. */
uint32_t team_cores(const char *root);

/* Runs `body` once for each member, each on its own thread, the first on the calling one, and returns when all
   have returned. members: an array of `count` records of `size` bytes. Members take work from a shared place
   until nothing is left; so where the system gives fewer threads, fewer members run and all work is still done. */
typedef void TeamBody(void *member);
void team_run(TeamBody *body, void *members, size_t size, uint32_t count);
/* The same for deep recursion: every member but the first (the caller) gets a stack of stack_bytes. */
void team_run_deep(TeamBody *body, void *members, size_t size, uint32_t count, size_t stack_bytes);

#endif
