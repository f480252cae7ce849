/* Every fuzz target by name. */
#include "target_cache.h"
#include "target_comments.h"
#include "target_files.h"
#include "target_prices.h"
#include "target_project.h"
#include "target_recording.h"
#include "target_settings.h"
#include "target_source.h"
#include "target_trace.h"

static const struct {
    const char *name;
    FuzzTarget *feed;
} fuzz_targets[] = {
    {"python", fuzz_python},       {"notebook", fuzz_notebook}, {"comments", fuzz_comments},
    {"config", fuzz_config},       {"ignore", fuzz_ignore},     {"arguments", fuzz_arguments},
    {"profile", fuzz_profile},     {"baseline", fuzz_baseline}, {"observed", fuzz_observed},
    {"page", fuzz_page},           {"stub", fuzz_stub},         {"git", fuzz_git},
    {"trace", fuzz_trace},         {"cache", fuzz_cache},       {"project", fuzz_project},
    {"recording", fuzz_recording}, {"prices", fuzz_prices},
};
enum { FUZZ_TARGETS = sizeof fuzz_targets / sizeof fuzz_targets[0] };

static FuzzTarget *fuzz_target(const char *name) {
    for (int i = 0; name && i < FUZZ_TARGETS; i++)
        if (strcmp(fuzz_targets[i].name, name) == 0) return fuzz_targets[i].feed;
    return NULL;
}
