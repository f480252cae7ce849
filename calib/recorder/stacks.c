#include "recorder.h"
#include <stdio.h>
#include <string.h>

uint32_t recorder_text(Recorder *recorder, const char *bytes, size_t length) {
    bool fresh;
    if (length > RECORD_TEXT_LIMIT) length = RECORD_TEXT_LIMIT;
    RecordId id = {interned_id(&recorder->texts, interned_hash(bytes, (uint32_t)length), &fresh)};
    if (fresh) record_file_put(&recorder->file, RECORD_TEXT, &id, sizeof id, bytes, (uint32_t)length, true);
    return id.id;
}

void recorder_fact(Recorder *recorder, const char *key, const char *value) {
    char fact[RECORD_TEXT_LIMIT];
    int length = snprintf(fact, sizeof fact, "%s=%s", key, value);
    if (length >= (int)sizeof fact) length = (int)sizeof fact - 1;
    record_file_put(&recorder->file, RECORD_FACT, fact, (uint32_t)length, NULL, 0, true);
}

static uint32_t frame_of(Recorder *recorder, const PythonFrame *from) {
    char text[4 * PYTHON_TEXT];
    bool fresh;
    RecordFrame frame = {.line = (uint32_t)python_line(&recorder->python, from)};
    frame.file = recorder_text(recorder, text, python_text(&recorder->python, from->file, text, sizeof text));
    frame.name = recorder_text(recorder, text, python_text(&recorder->python, from->name, text, sizeof text));
    uint64_t hash = interned_mix(interned_mix(frame.file, frame.name), frame.line);
    frame.id = interned_id(&recorder->frames, hash, &fresh);
    if (fresh) record_file_put(&recorder->file, RECORD_FRAME, &frame, sizeof frame, NULL, 0, true);
    return frame.id;
}

static uint32_t stack_of(Recorder *recorder, const PythonFrame *frames, uint32_t count) {
    uint32_t ids[PYTHON_FRAMES];
    bool fresh;
    for (uint32_t i = 0; i < count; i++) ids[i] = frame_of(recorder, &frames[i]);
    RecordId id = {interned_id(&recorder->stacks, interned_hash(ids, count * (uint32_t)sizeof *ids), &fresh)};
    if (fresh)
        record_file_put(&recorder->file, RECORD_STACK, &id, sizeof id, ids, count * (uint32_t)sizeof *ids,
                        true);
    return id.id;
}

/* A stack is recognised by its addresses. As an address may later be another function's, facts about its code
   are hashed too. */
static uint64_t seen_hash(const PythonFrame *frames, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash = interned_mix(interned_mix(hash, frames[i].code), frames[i].instruction);
        hash = interned_mix(interned_mix(hash, frames[i].file),
                            frames[i].name ^ (uint64_t)frames[i].first_line << 48);
    }
    return hash;
}

uint32_t recorder_stack(Recorder *recorder) {
    PythonFrame frames[PYTHON_FRAMES];
    uint32_t count = python_frames(&recorder->python, frames, PYTHON_FRAMES), stack = 0;
    bool fresh;
    if (!count) return 0;
    pthread_mutex_lock(&recorder->lock);
    uint32_t seen = interned_id(&recorder->seen_stacks, seen_hash(frames, count), &fresh);
    if (seen && !fresh)
        stack = recorder->stack_of_seen[seen];
    else
        stack = stack_of(recorder, frames, count);
    if (fresh) recorder->stack_of_seen[seen] = stack;
    pthread_mutex_unlock(&recorder->lock);
    return stack;
}
