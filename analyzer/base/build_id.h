#ifndef SYNCL_BUILD_ID_H
#define SYNCL_BUILD_ID_H
/* A digest of everything that is linked, so every different build has another. Written by the Makefile. */
extern const char build_id[];

#endif
