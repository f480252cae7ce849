#ifndef SYNCL_BUILD_ID_H
#define SYNCL_BUILD_ID_H
/* Changes with every build that differs: a digest of all that is linked. The Makefile writes it. */
extern const char build_id[];

#endif
