#ifndef SYNCL_TEAM_H
#define SYNCL_TEAM_H
/* Threads that share work: how many are of use here, and running them. What they do must not depend on which of them
   takes which piece; then neither does the output. */
#include <stddef.h>
#include <stdint.h>

enum { TEAM_LIMIT = 64 }; /* threads; --threads may ask for so many */

/* How many run at once for us: the cores that we may be scheduled on, fewer where a container's quota holds fewer; at
   most 16, beyond which what is shared is too little. root: "", or a folder that stands for / in tests. */
uint32_t team_cores(const char *root);

/* Runs `body` once a member, each on a thread, the first on the calling one, and returns when all have. members: an
   array of `count` records of `size` bytes. Members take what is to be done from a common place until nothing is left:
   where the system gives fewer threads, fewer run, and all of it is done. */
typedef void TeamBody(void *member);
void team_run(TeamBody *body, void *members, size_t size, uint32_t count);
/* The same for what recurses: each member but the first, which is the caller, with a stack of so many bytes. */
void team_run_deep(TeamBody *body, void *members, size_t size, uint32_t count, size_t stack_bytes);

#endif
