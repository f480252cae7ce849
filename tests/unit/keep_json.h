/* Keeps what is JSON of ours in the folder that tests/run.sh names, where test_schema.py holds it against the schema. */
#ifndef SYNCL_KEEP_JSON_H
#define SYNCL_KEEP_JSON_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int is_our_json(const char *text) {
    static const char report[] = "{\n  \"version\": 1", line[] = "{\"id\":";
    return strncmp(text, report, sizeof report - 1) == 0 || strncmp(text, line, sizeof line - 1) == 0;
}

static inline void keep_json(const char *text) {
    const char *folder = getenv("SYNCL_KEEP_JSON");
    char path[4200];
    uint64_t hash = 14695981039346656037u; /* FNV: what is the same is kept once */
    if (!folder || !text || !is_our_json(text)) return;
    for (const char *at = text; *at; at++) hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    snprintf(path, sizeof path, "%.4000s/%016llx.json", folder, (unsigned long long)hash);
    FILE *file = fopen(path, "wb");
    if (!file) return;
    fwrite(text, 1, strlen(text), file);
    fclose(file);
}

#endif
