#ifndef SYNCL_FEED_H
#define SYNCL_FEED_H
/* Reads a file from start to end, unpacking gzip on the way. Takes a path; gives pieces into the caller's
   memory; holds at most FEED_PIECE packed bytes. Fails with one clear line in *error: no such file, a broken or
   truncated archive, one that unpacks to an implausible size (a bomb). Must be closed in every case. */
#include "text.h"

enum { FEED_PIECE = 256 * 1024 };

typedef struct Feed Feed;

Feed *feed_open(Arena *arena, const char *path, Text *error); /* NULL: error says why */
/* Gives the number of bytes put into `room`; 0 at the end, and on failure, when error->length is not 0. */
size_t feed_read(Feed *feed, char *bytes, size_t room, Text *error);
void feed_close(Feed *feed);

#endif
