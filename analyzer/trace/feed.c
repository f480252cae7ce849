#include "feed.h"
#include "file.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib-ng.h>

/* Traces pack to between a tenth and a thirtieth. What unpacks to more than GROWTH_LIMIT times its size, and is
   large, is no trace. */
enum { GROWTH_LIMIT = 250, LARGE_BYTES = 256 * 1024 * 1024 };

struct Feed {
    Arena *arena;
    const char *path;
    int descriptor;
    bool packed, ended;
    uint64_t bytes_in, bytes_out;
    unsigned char *piece; /* [FEED_PIECE]: read from the file, not yet passed on */
    size_t used, at;
    zng_stream stream;
};

static void say(Feed *feed, Text *error, const char *what) {
    *error = text_format(feed->arena, "%s: %s", feed->path, what);
}

/* Reads more, behind what is not yet passed on. */
static bool refill(Feed *feed, Text *error) {
    size_t rest = feed->used - feed->at;
    memmove(feed->piece, feed->piece + feed->at, rest);
    ssize_t count = file_piece(feed->descriptor, (char *)feed->piece + rest, FEED_PIECE - rest);
    if (count < 0) say(feed, error, strerror(errno));
    feed->at = 0, feed->used = rest + (count > 0 ? (size_t)count : 0);
    feed->bytes_in += count > 0 ? (size_t)count : 0;
    return count > 0;
}

/* Whether an archive starts here. A read may have ended between its two magic bytes. */
static bool is_packed(Feed *feed, Text *error) {
    while (feed->used - feed->at < 2)
        if (!refill(feed, error)) return false;
    return feed->piece[feed->at] == 0x1F && feed->piece[feed->at + 1] == 0x8B;
}

static bool start_unpacking(Feed *feed) { return zng_inflateInit2(&feed->stream, 15 + 16) == Z_OK; }

/* An archive may have several members; anything else after the last one is ignored. */
static bool next_member(Feed *feed, Text *error) {
    return is_packed(feed, error) && zng_inflateReset(&feed->stream) == Z_OK;
}

static size_t unpack(Feed *feed, char *bytes, size_t room, Text *error) {
    zng_stream *stream = &feed->stream;
    stream->next_out = (unsigned char *)bytes;
    stream->avail_out = (uint32_t)room;
    while (stream->avail_out == room && !feed->ended) {
        if (feed->at == feed->used && !refill(feed, error)) {
            if (!error->length) say(feed, error, "the gzip archive is cut off: its end is missing");
            return 0;
        }
        stream->next_in = feed->piece + feed->at;
        stream->avail_in = (uint32_t)(feed->used - feed->at);
        int status = zng_inflate(stream, Z_NO_FLUSH);
        feed->at = feed->used - stream->avail_in;
        if (status == Z_STREAM_END) feed->ended = !next_member(feed, error);
        if (status != Z_STREAM_END && status != Z_OK && status != Z_BUF_ERROR) {
            say(feed, error, "the gzip archive is broken");
            return 0;
        }
    }
    return room - stream->avail_out;
}

static size_t copy(Feed *feed, char *bytes, size_t room, Text *error) {
    if (feed->at == feed->used && !refill(feed, error)) return 0;
    size_t count = feed->used - feed->at < room ? feed->used - feed->at : room;
    memcpy(bytes, feed->piece + feed->at, count);
    feed->at += count;
    return count;
}

Feed *feed_open(Arena *arena, const char *path, Text *error) {
    Feed *feed = arena_new(arena, Feed, 1);
    struct stat about;
    *feed = (Feed){.arena = arena, .path = path, .descriptor = file_open(path)};
    if (feed->descriptor < 0 || fstat(feed->descriptor, &about) != 0) {
        say(feed, error, strerror(errno));
    } else if (S_ISDIR(about.st_mode)) {
        say(feed, error, "is a folder, not a trace");
    } else if (S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode)) { /* such as /dev/zero, which never ends */
        say(feed, error, "is a device, not a trace");
    } else if (S_ISFIFO(about.st_mode) && !file_is_written(feed->descriptor)) {
        say(feed, error, "is a pipe that nobody writes to");
    } else {
        feed->piece = arena_alloc(arena, FEED_PIECE);
        feed->packed = is_packed(feed, error);
        if (feed->packed) (void)start_unpacking(feed);
    }
    if (!error->length) return feed;
    feed_close(feed);
    return NULL;
}

size_t feed_read(Feed *feed, char *bytes, size_t room, Text *error) {
    size_t count = feed->packed ? unpack(feed, bytes, room, error) : copy(feed, bytes, room, error);
    feed->bytes_out += count;
    if (feed->packed && feed->bytes_out > LARGE_BYTES && feed->bytes_out / GROWTH_LIMIT > feed->bytes_in) {
        say(feed, error, "the archive grows more than 250 times, which no trace does: not read further");
        return 0;
    }
    return count;
}

void feed_close(Feed *feed) {
    if (feed->descriptor >= 0) close(feed->descriptor);
    feed->descriptor = -1;
    if (feed->packed) (void)zng_inflateEnd(&feed->stream);
}
