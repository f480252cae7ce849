#ifndef SYNCL_FEED_H
#define SYNCL_FEED_H
/* The bytes of a file in the order they stand, gzip unpacked on the way. Takes a path; gives pieces into the caller's
   memory; keeps no more than FEED_PIECE packed bytes. Fails with one clear line in `error`: no such file, a broken or
   cut off archive, an archive that grows past every honest trace (a bomb). Close it in every case. */
#include "text.h"

enum { FEED_PIECE = 256 * 1024 };

typedef struct Feed Feed;

Feed *feed_open(Arena *arena, const char *path, Text *error); /* NULL: error says why */
/* How many bytes were put into `room`; 0 at the end or on failure, and then error->length tells which. */
size_t feed_read(Feed *feed, char *bytes, size_t room, Text *error);
void feed_close(Feed *feed);

#endif
