/* Module names, and the project's files that an import leads to. */
#include "loading.h"
#include <sys/stat.h>

/* ---- folders ---- */

/* The kind of a path, memoised: many imports lead to the same path, and most candidate paths do not exist. */
static uint32_t kind_of(Loading *self, Text path) {
    Sym id = names_intern(&self->asked, path);
    if (self->kinds.count < id)
        vec_push(&self->scratch, &self->kinds, inputs_kind(self->limits.inputs, &self->brief, path));
    return self->kinds.items[id - 1];
}

static bool exists(Loading *self, Text path, bool is_folder) {
    return kind_of(self, path) == (is_folder ? S_IFDIR : S_IFREG);
}

static bool holds(Loading *self, Text folder, const char *name) {
    return inputs_kind(self->limits.inputs, &self->brief, path_join(&self->brief, folder, text_of(name))) != 0;
}

static Folder *folder_of(Loading *self, Text folder) {
    Sym id = names_intern(&self->folder_names, folder);
    while (self->folders.count < id) vec_push(&self->scratch, &self->folders, (Folder){0});
    return &self->folders.items[id - 1];
}

static bool has_init(Loading *self, Text folder) {
    Folder *facts = folder_of(self, folder);
    if (!facts->has_init) facts->has_init = holds(self, folder, "__init__.py") ? 1 : -1;
    return facts->has_init > 0;
}

static bool installs(Loading *self, Text folder) {
    Folder *facts = folder_of(self, folder);
    if (!facts->installs) {
        bool marked = holds(self, folder, "pyproject.toml") || holds(self, folder, "setup.py") ||
                      holds(self, folder, "setup.cfg");
        facts->installs = marked ? 1 : -1;
    }
    return facts->installs > 0;
}

static bool is_project_top(Loading *self, Text folder) {
    Folder *facts = folder_of(self, folder);
    if (!facts->is_top) facts->is_top = holds(self, folder, ".git") || installs(self, folder) ? 1 : -1;
    return facts->is_top > 0;
}

static bool has_src(Loading *self, Text folder) {
    Folder *facts = folder_of(self, folder);
    if (!facts->has_src)
        facts->has_src = exists(self, path_join(&self->brief, folder, TEXT("src")), true) ? 1 : -1;
    return facts->has_src > 0;
}

static bool is_root_of_disk(Text folder) { return folder.length <= 1; }

/* A folder of installed packages (site-packages), in which each package is a project of its own. */
static bool is_site(Text folder) {
    Text base = path_base(folder);
    return text_equal(base, TEXT("site-packages")) || text_equal(base, TEXT("dist-packages"));
}

void loading_note_installed(Loading *self, Text folder) { folder_of(self, folder)->installs = 1; }

bool loading_installs(Loading *self, Text root) {
    return is_site(root) || installs(self, root) || installs(self, path_folder(root));
}

/* The outermost of the named folders that contain `root`; else `root` itself. */
static Text named_above(const Loading *self, Text root) {
    Text top = root;
    for (uint32_t i = 0; i < self->named.count; i++)
        if (path_is_below(top, self->named.items[i])) top = self->named.items[i];
    return top;
}

/* The nearest folder that looks like the top of a project; else the working folder or a named folder that
   contains the file. */
static Text top_of(Loading *self, Text root) {
    if (is_site(root)) return root;
    for (Text folder = root; !is_root_of_disk(folder); folder = path_folder(folder))
        if (is_project_top(self, folder)) return folder;
    return path_is_below(root, self->current) ? self->current : named_above(self, root);
}

/* ---- module names ---- */

static Text first_part(Text whole, char separator) {
    uint32_t end = 0;
    while (end < whole.length && whole.bytes[end] != separator) end++;
    return text_slice(whole, 0, end);
}

/* The module name of a path below a root: a/b/c.py is a.b.c, a/b/__init__.py is a.b. */
static Text dotted_name(Loading *self, Text below) {
    uint32_t length = below.length - (text_ends(below, TEXT(".py")) ? 3 : 0);
    char *bytes = arena_copy(self->result, below.bytes, below.length);
    for (uint32_t i = 0; i < length; i++)
        if (bytes[i] == '/') bytes[i] = '.';
    Text name = {bytes, length};
    if (text_equal(name, TEXT("__init__"))) return (Text){bytes, 0};
    if (text_ends(name, TEXT(".__init__"))) name.length -= 9;
    return name;
}

void loading_place(Loading *self, Source *source) {
    Text folder = path_folder(source->absolute);
    while (!is_root_of_disk(folder) && has_init(self, folder)) folder = path_folder(folder);
    source->root = folder;
    source->top = top_of(self, folder);
    source->module = dotted_name(self, path_below(source->absolute, folder));
    source->is_package = text_equal(path_base(source->absolute), TEXT("__init__.py"));
}

/* Each installed package is a project of its own. */
Project loading_project(Loading *self, const Source *source) {
    Text top = source->top;
    if (is_root_of_disk(top)) return (Project){0};
    if (!is_site(top)) return (Project){top, is_project_top(self, top)};
    Text first = first_part(path_below(source->absolute, top), '/');
    Text folder = path_join(self->result, top, first);
    return text_equal(folder, source->absolute) ? (Project){0} : (Project){folder, true};
}

static void add_root(Roots *out, Text folder) {
    for (uint32_t i = 0; i < out->count; i++)
        if (text_equal(out->items[i], folder)) return;
    if (out->count < sizeof out->items / sizeof *out->items) out->items[out->count++] = folder;
}

/* The package's root or the script's folder, then each folder around it up to the project's top, each with its
   `src` subfolder; then the search paths. */
void loading_roots(Loading *self, const Source *source, Roots *out) {
    out->count = 0;
    for (Text folder = source->root;; folder = path_folder(folder)) {
        add_root(out, folder);
        if (!is_site(folder) && has_src(self, folder))
            add_root(out, path_join(self->result, folder, TEXT("src")));
        if (is_root_of_disk(folder) || text_equal(folder, source->top)) break;
    }
    for (uint32_t i = 0; i < self->limits.search_path_count; i++)
        add_root(out, path_absolute(self->result, self->current, text_of(self->limits.search_paths[i])));
}

/* ---- neighbours ---- */

/* Relative to the working folder where it lies below it. */
static Text shown(const Loading *self, Text absolute) {
    return path_is_below(absolute, self->current) ? path_below(absolute, self->current) : absolute;
}

void loading_add(Loading *self, Text absolute, bool whole) {
    if (names_find(&self->known, absolute)) return;
    names_intern(&self->known, absolute);
    Text path = shown(self, absolute);
    Source source = {.path = path, .absolute = absolute, .whole = whole};
    vec_push(&self->scratch, &self->sources, source);
}

static void link_to(Loading *self, Text path) {
    Link link = {self->links->from, names_intern(&self->links->nodes, path)};
    vec_push(&self->scratch, &self->links->items, link);
}

static bool add_file(Loading *self, Text path) {
    bool known = names_find(&self->known, path) != 0;
    if (!known && !exists(self, path, false)) return false;
    if (self->links)
        link_to(self, path);
    else if (!known)
        loading_add(self, (Text){arena_copy(self->result, path.bytes, path.length), path.length}, false);
    return true;
}

static Text with_suffix(Loading *self, Text path) { return text_format(&self->brief, "%.*s.py", SHOWN(path)); }

/* Adds a package's __init__.py, else the module's file; a folder without __init__.py is a namespace package.
   False: nothing of this name exists. */
static bool add_module(Loading *self, Text path) {
    if (add_file(self, path_join(&self->brief, path, TEXT("__init__.py")))) return true;
    return add_file(self, with_suffix(self, path)) || exists(self, path, true);
}

/* A quick test of the first part: most imports are of other packages. */
static bool first_part_exists(Loading *self, Text root, Text first) {
    Text path = path_join(&self->brief, root, first);
    return exists(self, path, true) || exists(self, with_suffix(self, path), false);
}

/* Adds every package on the way too. Gives the folder (or module without suffix) that the dotted name leads to;
   empty when there is no such module below `root`. */
static Text add_dotted(Loading *self, Text root, Text dotted) {
    Text path = root;
    while (dotted.length) {
        Text part = first_part(dotted, '.');
        path = path_join(&self->brief, path, part);
        if (!part.length || !add_module(self, path)) return (Text){0};
        dotted = text_slice(dotted, part.length + (part.length < dotted.length), dotted.length);
    }
    return path;
}

/* In `from package import name`, the name may be a module of the package. */
static Text add_named(Loading *self, const Token *import, Text place) {
    Text name = import->name;
    if (place.length && name.length && !text_equal(name, TEXT("*")) && exists(self, place, true))
        add_module(self, path_join(&self->brief, place, name));
    return place;
}

/* When only links are recorded, every candidate is linked. */
static Text add_absolute(Loading *self, const Source *source, const Roots *roots, const Token *import) {
    Text dotted = import->module, first = first_part(dotted, '.');
    if (!first.length) return (Text){0};
    if (is_site(source->root) && !text_equal(first, first_part(source->module, '.'))) return (Text){0};
    /* what torch does is said by the rule pages, whether or not it is installed */
    bool is_torch = text_equal(first, TEXT("torch"));
    uint32_t last = is_torch && roots->count > self->limits.search_path_count
                        ? roots->count - self->limits.search_path_count
                        : roots->count;
    for (uint32_t i = 0; i < last; i++) {
        if (!first_part_exists(self, roots->items[i], first)) continue;
        Text place = add_named(self, import, add_dotted(self, roots->items[i], dotted));
        if (!self->links) return place;
    }
    return (Text){0};
}

static Text add_relative(Loading *self, const Source *source, const Token *import) {
    Text folder = path_folder(source->absolute);
    for (uint32_t i = 1; i < import->dots && !is_root_of_disk(folder); i++) folder = path_folder(folder);
    if (!path_is_below(folder, source->top)) return (Text){0};
    if (import->module.length) return add_named(self, import, add_dotted(self, folder, import->module));
    add_file(self, path_join(&self->brief, folder, TEXT("__init__.py")));
    return add_named(self, import, folder);
}

/* The result lives in `brief`. */
static Text add_import(Loading *self, const Source *source, const Roots *roots, const Token *import) {
    arena_reset(&self->brief);
    return import->dots ? add_relative(self, source, import) : add_absolute(self, source, roots, import);
}

Text loading_import(Loading *self, const Source *source, const Roots *roots, const Token *import) {
    Text place = add_import(self, source, roots, import);
    return (Text){arena_copy(&self->scratch, place.bytes, place.length), place.length};
}

void loading_imports(Loading *self, uint32_t i) {
    Source source = self->sources.items[i]; /* a copy: adding moves the array */
    Roots roots;
    loading_roots(self, &source, &roots);
    for (uint32_t k = 0; k < source.outline.imports.count; k++) {
        Tokens tokens = tokens_in(source.bytes, source.outline.imports.items[k].span);
        for (Token token; tokens_next(&tokens, &token);)
            if (token.kind == TOKEN_IMPORT) (void)add_import(self, &source, &roots, &token);
    }
}
