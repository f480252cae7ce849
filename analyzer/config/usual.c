#include "usual.h"
#include "path.h"

static const char *const folders[] = {
#define FOLDER(name) name,
#include "usual.def"
};

bool usual_exclusion(Text path) {
    Text base = path_base(path);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (text_equal(base, text_of(folders[i]))) return true;
    return false;
}
