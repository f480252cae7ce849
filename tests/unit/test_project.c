/* project.h: which files a run reads, what it says of the others, and how modules find each other. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "part.h"
#include "project.h"

typedef struct Fixture {
    char folder[64];
    char before[4096];
    Arena arena;
    const Program *program;
    ProjectError error;
} Fixture;

static int set_up(void **state) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    strcpy(fixture->folder, "/tmp/syncl-test-XXXXXX");
    if (!mkdtemp(fixture->folder) || !getcwd(fixture->before, sizeof fixture->before)) return -1;
    *state = fixture;
    return chdir(fixture->folder);
}

static int tear_down(void **state) {
    Fixture *fixture = *state;
    arena_free(&fixture->arena);
    char command[256];
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", fixture->folder, fixture->folder);
    int code = chdir(fixture->before) | system(command);
    free(fixture);
    return code;
}

static void put(const char *path, const char *source) {
    for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
        char folder[256];
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        mkdir(folder, 0755);
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(source, file);
    fclose(file);
}

static const Program *load_with(Fixture *fixture, const ProjectLimits *limits, const char *const *paths,
                                size_t count) {
    arena_free(&fixture->arena);
    fixture->error.message = (Text){0};
    fixture->program = project_load(&fixture->arena, paths, count, limits, &fixture->error);
    return fixture->program;
}

static const Program *load(Fixture *fixture, const char *path) { return load_with(fixture, NULL, &path, 1); }

static FileId file_at(const Program *program, const char *path) {
    for (FileId id = 1; id < program->files.count; id++)
        if (text_equal(program->files.items[id].path, text_of(path))) return id;
    return 0;
}

static void assert_module(const Program *program, const char *path, const char *module) {
    FileId id = file_at(program, path);
    if (!id) fail_msg("%s is not loaded", path);
    Text name = names_text(&program->names, program->files.items[id].module);
    if (!text_equal(name, text_of(module)))
        fail_msg("%s is %.*s, not %s", path, (int)name.length, name.bytes, module);
}

static void assert_skipped(const Program *program, const char *path, const char *reason) {
    for (uint32_t i = 0; i < program->skipped.count; i++) {
        const Skipped *skipped = &program->skipped.items[i];
        if (!text_equal(skipped->path, text_of(path))) continue;
        if (!text_starts(skipped->reason, text_of(reason)))
            fail_msg("%s was skipped because it %.*s", path, (int)skipped->reason.length,
                     skipped->reason.bytes);
        return;
    }
    fail_msg("%s was not skipped", path);
}

static void walks_a_folder_in_order(void **state) {
    put("b.py", "");
    put("a/x.py", "");
    put("a.py", "");
    put("notes.txt", "");
    put(".git/hook.py", "");
    put("__pycache__/y.py", "");
    put("build/z.py", "");
    put("node_modules/q/r.py", "");
    put("docs/_build/_downloads/copy.py", "");
    const Program *program = load(*state, ".");
    assert_int_equal(program->files.count, 4);
    assert_int_equal(file_at(program, "a.py"), 1); /* '.' sorts before '/' */
    assert_int_equal(file_at(program, "a/x.py"), 2);
    assert_int_equal(file_at(program, "b.py"), 3);
    assert_true(program->files.items[1].reported);
    assert_int_equal(program->skipped.count, 0);
}

static void each_file_counts_once(void **state) {
    put("a.py", "x = 1\n");
    put("sub/b.py", "");
    assert_int_equal(symlink("a.py", "link.py"), 0);
    const char *paths[] = {"sub", "./a.py", ".", "a.py", "sub/../sub/b.py", "link.py"};
    const Program *program = load_with(*state, NULL, paths, 6);
    assert_int_equal(program->files.count, 3);
    assert_true(file_at(program, "a.py") && file_at(program, "sub/b.py"));
    const char *other_order[] = {"link.py", "a.py", "sub", "."};
    program = load_with(*state, NULL, other_order, 4);
    assert_int_equal(program->files.count, 3);
    assert_int_equal(file_at(program, "a.py"), 1);
}

static void a_missing_path_is_an_error(void **state) {
    Fixture *fixture = *state;
    put("a.py", "");
    const char *paths[] = {"a.py", "nowhere.py"};
    assert_null(load_with(fixture, NULL, paths, 2));
    assert_true(text_equal(fixture->error.message, TEXT("cannot read nowhere.py: No such file or directory")));
}

static void a_named_file_is_read_whatever_its_suffix(void **state) {
    put("script", "import torch\n");
    put("build/x.py", "");
    const char *paths[] = {"script", "build/x.py"};
    const Program *program = load_with(*state, NULL, paths, 2);
    assert_int_equal(program->files.count, 3);
    assert_true(program->files.items[file_at(program, "script")].model->has_torch);
}

static void what_cannot_be_read_is_counted(void **state) {
    put("good.py", "");
    put("huge.py", "x = 1\n# far more than forty bytes of a comment\n");
    put("secret.py", "");
    put("locked/a.py", "");
    assert_int_equal(mkfifo("pipe.py", 0600), 0);
    assert_int_equal(symlink("gone.py", "broken.py"), 0);
    assert_int_equal(symlink("circle.py", "circle.py"), 0);
    FILE *binary = fopen("binary.py", "wb");
    fwrite("\x7f"
           "ELF\0\0\0",
           1, 7, binary);
    fclose(binary);
    chmod("secret.py", 0);
    chmod("locked", 0);
    ProjectLimits limits = {.file_bytes = 40};
    const char *path = ".";
    const Program *program = load_with(*state, &limits, &path, 1);
    assert_skipped(program, "huge.py", "is larger than");
    assert_skipped(program, "pipe.py", "is a FIFO");
    assert_skipped(program, "broken.py", "is a broken or circular link");
    assert_skipped(program, "circle.py", "is a broken or circular link");
    assert_skipped(program, "binary.py", "holds NUL bytes");
    if (getuid() != 0) {
        assert_skipped(program, "secret.py", "cannot be read");
        assert_skipped(program, "locked", "cannot be read");
    }
    assert_true(file_at(program, "good.py"));
    for (uint32_t i = 1; i < program->skipped.count; i++)
        assert_true(text_compare(program->skipped.items[i - 1].path, program->skipped.items[i].path) < 0);
}

static void a_named_fifo_does_not_hang(void **state) {
    assert_int_equal(mkfifo("pipe", 0600), 0);
    const Program *program = load(*state, "pipe");
    assert_int_equal(program->files.count, 1);
    assert_skipped(program, "pipe", "is a FIFO");
}

static void fifty_megabytes_are_skipped(void **state) {
    FILE *file = fopen("huge.py", "wb");
    assert_int_equal(ftruncate(fileno(file), 50 * 1024 * 1024), 0);
    fclose(file);
    assert_skipped(load(*state, "huge.py"), "huge.py", "is larger than 8 MiB");
}

static void loops_of_links_end(void **state) {
    put("sub/a.py", "");
    assert_int_equal(symlink("..", "sub/up"), 0);
    assert_int_equal(symlink(".", "self"), 0);
    const char *paths[] = {".", "self", "sub/up"};
    const Program *program = load_with(*state, NULL, paths, 3);
    assert_int_equal(program->files.count, 2);
}

static void a_folder_without_python_is_said(void **state) {
    mkdir("empty", 0755);
    put("empty/readme.md", "");
    assert_skipped(load(*state, "empty/"), "empty", "holds no Python files");
}

static void an_empty_file_is_a_file(void **state) {
    put("empty.py", "");
    assert_int_equal(load(*state, "empty.py")->files.count, 2);
}

static void names_modules_by_their_package(void **state) {
    put("pkg/__init__.py", "");
    put("pkg/sub/__init__.py", "");
    put("pkg/sub/mod.py", "");
    put("scripts/train.py", "");
    put("src/lib/__init__.py", "");
    put("src/lib/core.py", "");
    const Program *program = load(*state, ".");
    assert_module(program, "pkg/__init__.py", "pkg");
    assert_module(program, "pkg/sub/mod.py", "pkg.sub.mod");
    assert_module(program, "scripts/train.py", "train");
    assert_module(program, "src/lib/core.py", "lib.core");
    assert_true(program->files.items[file_at(program, "pkg/__init__.py")].is_package);
}

static Sym sym(const Program *program, const char *name) { return names_find(&program->names, text_of(name)); }

static void loads_the_neighbours_that_it_imports(void **state) {
    put("pyproject.toml", "");
    put("train.py", "import models.resnet, torch\nfrom pkg.sub import mod as m\nfrom lib import core\n");
    put("models/resnet.py", "from .blocks import Block\n");
    put("models/blocks.py", "");
    put("models/unused.py", "");
    put("pkg/__init__.py", "from . import first\n");
    put("pkg/first.py", "");
    put("pkg/sub/__init__.py", "");
    put("pkg/sub/mod.py", "from ..other import x\nfrom .... import outside\n");
    put("pkg/other.py", "");
    put("src/lib/core.py", "");
    const Program *program = load(*state, "train.py");
    const char *paths[] = {"models/blocks.py", "models/resnet.py",    "pkg/__init__.py", "pkg/first.py",
                           "pkg/other.py",     "pkg/sub/__init__.py", "pkg/sub/mod.py",  "src/lib/core.py"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        FileId id = file_at(program, paths[i]);
        if (!id) fail_msg("%s was not loaded", paths[i]);
        assert_false(program->files.items[id].reported);
    }
    assert_int_equal(program->files.count, 10);
    FileId train = file_at(program, "train.py");
    assert_int_equal(program_import(program, train, sym(program, "models.resnet")),
                     file_at(program, "models/resnet.py"));
    assert_int_equal(program_import(program, train, sym(program, "lib.core")),
                     file_at(program, "src/lib/core.py"));
    assert_int_equal(program_import(program, train, sym(program, "torch")), 0);
}

/* A package that gives three hundred names from as many modules. */
static void put_large_package(void) {
    char all[32768] = "from . import tools\n", path[64], module[128];
    for (int i = 0; i < 300; i++) {
        snprintf(path, sizeof path, "large/m%d.py", i);
        snprintf(module, sizeof module, "import torch\nfrom .parts.p%d import Part\nclass C%d(Part): pass\n", i,
                 i);
        put(path, module);
        snprintf(path, sizeof path, "large/parts/p%d.py", i);
        put(path, "class Part: pass\n");
        snprintf(all + strlen(all), sizeof all - strlen(all), "from .m%d import C%d\n", i, i);
    }
    put("pyproject.toml", "");
    put("large/__init__.py", all);
    put("large/parts/__init__.py", "");
    put("large/tools.py", "from .m1 import C1\ndef make():\n    from .deep import Thing\n    return Thing()\n"
                          "def leave():\n    from .never import Thing\n    return Thing()\n");
    put("large/deep.py", "from .base import *\nclass Thing(Base): pass\n");
    put("large/base.py", "from .base_parts import PART, OTHER\nclass Base:\n    part = PART\n");
    put("large/base_parts.py", "");
    put("large/never.py", "");
    put("large/sub/leaf.py", "from .twig import go, stay\n");
    put("large/sub/twig.py", "def go():\n    import large.m290 as m\n    return m.C290()\n"
                             "def stay():\n    from ..m291 import C291\n    return C291()\n");
}

static void of_a_large_package_what_is_named_is_read(void **state) {
    put_large_package();
    put("train.py",
        "import large.sub.leaf\nfrom large import C250, tools\nC250(tools.make(), large.sub.leaf.go())\n");
    const Program *program = load(*state, "train.py");
    const char *named[] = {"large/__init__.py", "large/m250.py", "large/parts/p250.py", "large/tools.py",
                           "large/deep.py",     "large/base.py", "large/base_parts.py", "large/sub/leaf.py",
                           "large/sub/twig.py", "large/m290.py", "large/parts/p290.py"};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (!file_at(program, named[i])) fail_msg("%s was not loaded", named[i]);
    const char *others[] = {"large/never.py", "large/m299.py", "large/parts/p0.py"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (file_at(program, others[i])) fail_msg("%s was loaded", others[i]);
    assert_in_range(program->files.count, 100, 135);
    assert_true(program->files.items[file_at(program, "large/sub/leaf.py")].reaches_torch);
    assert_int_equal(load(*state, "large")->files.count, 1 + 300 + 300 + 9);
}

/* Its __init__.py leads to m20 alone; there is room for the rest of it. */
static void of_a_small_package_all_is_read(void **state) {
    put("pyproject.toml", "");
    put("train.py", "from small import C20\n");
    char all[4096] = "", path[64];
    for (int i = 0; i < 50; i++) {
        snprintf(path, sizeof path, "small/m%d.py", i);
        put(path, "");
        snprintf(all + strlen(all), sizeof all - strlen(all), "from .m%d import C%d\n", i, i);
    }
    put("small/__init__.py", all);
    assert_int_equal(load(*state, "train.py")->files.count, 1 + 52);
}

static const Func *func_named(const Program *program, const char *path, const char *name) {
    const FileModel *model = program->files.items[file_at(program, path)].model;
    for (FuncId f = 2; f < model->funcs.count; f++)
        if (text_equal(model_name(model, model->funcs.items[f].name), text_of(name)))
            return &model->funcs.items[f];
    fail_msg("no function %s in %s", name, path);
    return NULL;
}

/* A module with a function of so many bytes. */
static void put_function(const char *path, const char *before, const char *name, int bytes, const char *after) {
    char *text = malloc((size_t)bytes + 8192);
    int at = sprintf(text, "%sdef %s():\n", before, name);
    while (at < bytes) at += sprintf(text + at, "    value = [1, 2, 3, 4, 5, 6, 7, 8, 9]\n");
    sprintf(text + at, "%s", after);
    put(path, text);
    free(text);
}

/* What is used is so much that it is no small project, of which all is read. */
static void of_a_neighbour_only_what_is_asked_for_is_read(void **state) {
    put("pyproject.toml", "");
    put("pkg/__init__.py", "");
    put("pkg/deep.py", "def far(): return 5\n");
    put_function("pkg/tools.py",
                 "import torch\nfrom .deep import far\nTABLE = [far]\nclass Base:\n"
                 "    def __init__(self): helper()\n    def named(self): return 1\n"
                 "    def unnamed(self): return 2\n    def on_step(self): return 3\n"
                 "    def got(self): return 4\nclass Other:\n    def named(self): return 1\n"
                 "class Unused:\n    def far_away(self): pass\n"
                 "def helper(): return getattr(Base, 'got')\ndef unused(): return 6\n",
                 "taken", 200 << 10, "");
    put("train.py", "from pkg.tools import Base\nfrom pkg import tools as t\nclass Mine(Base):\n"
                    "    def f(self): return self.a.named(), t.taken()\n");
    Text hook = TEXT("on_step");
    const char *path = "train.py";
    const Program *program = load_with(*state, &(ProjectLimits){.hooks = &hook, .hook_count = 1}, &path, 1);
    static const char *const read[] = {"__init__", "named", "on_step", "got", "helper", "taken"};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        if (func_is_unread(func_named(program, "pkg/tools.py", read[i]))) fail_msg("%s is not read", read[i]);
    assert_true(func_is_unread(func_named(program, "pkg/tools.py", "unnamed")));
    Fixture *fixture = *state;
    const Program *linked = program_linked(&fixture->arena, program);
    assert_int_equal(sym(linked, "unused"), 0);
    assert_int_equal(sym(linked, "Unused"), 0);
    assert_true(sym(linked, "Other"));
    assert_int_equal(program->unread, 0);
    assert_int_equal(sym(linked, "TABLE"), 0);
    assert_true(program_mentions(program, &TEXT("TABLE"), 1));
    assert_false(program_mentions(program, &TEXT("TABL"), 1));
}

/* Also where no __init__.py leads on. */
static void a_module_is_asked_by_its_whole_name(void **state) {
    put("pyproject.toml", "");
    put_function("space/deep/tools.py", "", "taken", 200 << 10, "def unused(): pass\n");
    put("space/deep/others.py", "def other(): pass\n");
    put("train.py", "import space.deep.tools, space.deep.others as o\nspace.deep.tools.taken()\no.other()\n");
    const Program *program = load(*state, "train.py");
    assert_false(func_is_unread(func_named(program, "space/deep/tools.py", "taken")));
    assert_false(func_is_unread(func_named(program, "space/deep/others.py", "other")));
    assert_int_equal(sym(program, "unused"), 0);
}

static void what_the_bounds_leave_out_is_counted(void **state) {
    put("pyproject.toml", "");
    put_function("pkg/large.py", "", "big", 900 << 10, "def small():\n    return big\n");
    put("train.py", "from pkg.large import small, big\nbig(small())\n");
    const Program *program = load(*state, "train.py");
    assert_int_equal(program->unread, 1);
    assert_false(func_is_unread(func_named(program, "pkg/large.py", "small")));
    assert_int_equal(load(*state, "pkg/large.py")->unread, 0);
    put_function("much.py", "from pkg.large import big\nbig()\n", "own", 500 << 10, "");
    assert_int_equal(load(*state, "much.py")->unread, 0); /* there is room for twice as much as is given */
}

static void of_very_many_stars_those_called_alike_are_followed(void **state) {
    char all[8192] = "", path[64];
    put("pyproject.toml", "");
    for (int i = 0; i < 300; i++) {
        snprintf(path, sizeof path, "many/m%d.py", i);
        put(path, "");
        snprintf(all + strlen(all), sizeof all - strlen(all), "from .m%d import *\n", i);
    }
    snprintf(all + strlen(all), sizeof all - strlen(all), "from .auto_net import *\n");
    put("many/__init__.py", all);
    put_function("many/auto_net.py", "", "AutoNetModel", 200 << 10, "");
    put("train.py", "from many import nowhere, AutoNetModel\nnowhere(AutoNetModel())\n");
    const Program *program = load(*state, "train.py");
    assert_int_equal(program->unread, 2);
    assert_false(func_is_unread(func_named(program, "many/auto_net.py", "AutoNetModel")));
    assert_int_equal(program->files.count, 1 + 3);
}

static void each_script_has_its_own_utils(void **state) {
    put("a/train.py", "import utils\n");
    put("a/utils.py", "");
    put("b/train.py", "import utils\n");
    put("b/utils.py", "");
    const Program *program = load(*state, ".");
    Sym utils = sym(program, "utils");
    assert_int_equal(program_import(program, file_at(program, "a/train.py"), utils),
                     file_at(program, "a/utils.py"));
    assert_int_equal(program_import(program, file_at(program, "b/train.py"), utils),
                     file_at(program, "b/utils.py"));
}

/* A package without __init__.py that imports itself by its name, in a folder that is named from elsewhere. */
static void a_named_folder_is_where_imports_begin(void **state) {
    Fixture *fixture = *state;
    char folder[96];
    put("wheel/pkg/model.py", "from pkg.tools.device import pick\n");
    put("wheel/pkg/tools/device.py", "def pick(): pass\n");
    put("elsewhere/readme.txt", "");
    snprintf(folder, sizeof folder, "%s/wheel", fixture->folder);
    assert_int_equal(chdir("elsewhere"), 0);
    const Program *program = load(fixture, folder);
    char path[128], tools[128];
    snprintf(path, sizeof path, "%s/pkg/model.py", folder);
    snprintf(tools, sizeof tools, "%s/pkg/tools/device.py", folder);
    assert_true(file_at(program, tools));
    assert_int_equal(program_import(program, file_at(program, path), sym(program, "pkg.tools.device")),
                     file_at(program, tools));
}

static void torch_is_reached_through_imports(void **state) {
    put("pkg/__init__.py", "");
    put("pkg/a.py", "from .b import f\n");
    put("pkg/b.py", "from . import c\n");
    put("pkg/c.py", "import torch\n");
    put("pkg/d.py", "import numpy\n");
    const Program *program = load(*state, ".");
    assert_true(program->files.items[file_at(program, "pkg/a.py")].reaches_torch);
    assert_true(program->files.items[file_at(program, "pkg/b.py")].reaches_torch);
    assert_false(program->files.items[file_at(program, "pkg/d.py")].reaches_torch);
    assert_false(program->files.items[file_at(program, "pkg/__init__.py")].reaches_torch);
}

static void installed_packages_are_projects_of_their_own(void **state) {
    put("site-packages/one/__init__.py", "import two\nfrom . import part\nimport one.other\n");
    put("site-packages/one/part.py", "");
    put("site-packages/one/other.py", "");
    put("site-packages/two/__init__.py", "");
    const Program *program = load(*state, "site-packages/one/__init__.py");
    assert_int_equal(program->files.count, 4);
    assert_false(file_at(program, "site-packages/two/__init__.py"));
}

static void global_ids_find_their_file(void **state) {
    put("a.py", "def f(): pass\nclass C: pass\n");
    put("b.py", "def g():\n    def h(): pass\n");
    Fixture *fixture = *state;
    const Program *program = program_linked(&fixture->arena, load(fixture, "."));
    const SourceFile *a = &program->files.items[1], *b = &program->files.items[2];
    assert_int_equal(program_file_of_func(program, a->func_base + 1), 1);
    assert_int_equal(program_file_of_func(program, a->func_base + a->model->funcs.count - 1), 1);
    assert_int_equal(program_file_of_func(program, b->func_base + 1), 2);
    assert_int_equal(program_file_of_func(program, program->func_count), 2);
    assert_int_equal(program_file_of_class(program, a->class_base + 1), 1);
    assert_int_equal(program->class_count, 1);
}

static bool is_of(const Program *whole, const Part *part, const char *path) {
    for (uint32_t i = 0; i < part->count; i++)
        if (text_equal(whole->files.items[part->files[i]].path, text_of(path))) return true;
    return false;
}

static void what_imports_connect_is_one_part(void **state) {
    put("one/train.py", "import torch\nfrom net import Net\n");
    put("one/net.py", "import torch\n");
    put("one/test_net.py", "import net\n");
    put("pkg/__init__.py", "");
    put("pkg/a.py", "import torch\n");
    put("pkg/sub/__init__.py", "");
    put("pkg/sub/b.py", "import torch\n");
    put("setup.py", "import setuptools\n");
    put("two.py", "import torch\nimport net\n"); /* not where Python would look */
    Fixture *fixture = *state;
    const Program *whole = load(fixture, ".");
    Parts parts = program_parts(&fixture->arena, whole);
    assert_int_equal(parts.items.count, 3); /* setup.py reaches no torch */
    const Part *one = &parts.items.items[0], *pkg = &parts.items.items[1], *two = &parts.items.items[2];
    assert_int_equal(one->count, 3);
    assert_true(is_of(whole, one, "one/train.py") && is_of(whole, one, "one/net.py"));
    assert_int_equal(pkg->count, 4);
    assert_true(is_of(whole, pkg, "pkg/a.py") && is_of(whole, pkg, "pkg/sub/b.py"));
    assert_int_equal(two->count, 1);
}

static void a_part_is_a_program(void **state) {
    put("a/train.py", "from net import Net\nimport torch\nclass Own(Net): pass\n");
    put("a/net.py", "import torch\nclass Net: pass\n");
    put("b/train.py", "from net import Net\nimport torch\n");
    put("b/net.py", "import torch\nclass Net:\n    def f(self): pass\n");
    Fixture *fixture = *state;
    const Program *whole = load(fixture, ".");
    Parts parts = program_parts(&fixture->arena, whole);
    assert_int_equal(parts.items.count, 2);
    const Program *b = program_of_part(&fixture->arena, whole, &parts.items.items[1]);
    assert_int_equal(b->files.count, 3);
    assert_true(text_is(b->files.items[1].path, "b/net.py"));
    assert_int_equal(program_import(b, 2, sym(b, "net")), 1);
    assert_int_equal(b->class_count, 1);
    assert_true(sym(b, "f"));
    assert_int_equal(sym(b, "Own"), 0);
    assert_int_equal(program_file_of_func(b, b->files.items[2].func_base + 1), 2);
}

static void threads_change_nothing(void **state) {
    for (int i = 0; i < 60; i++) {
        char path[64], source[64];
        snprintf(path, sizeof path, "m%d.py", i);
        snprintf(source, sizeof source, "import m%d\nx%d = y%d\n", (i * 7 + 1) % 60, i, i);
        put(path, source);
    }
    Fixture other = {0};
    const char *path = ".";
    const Program *one = load_with(*state, &(ProjectLimits){.threads = 1}, &path, 1);
    const Program *many = load_with(&other, &(ProjectLimits){.threads = 8}, &path, 1);
    assert_int_equal(one->files.count, many->files.count);
    assert_int_equal(one->names.texts.count, many->names.texts.count);
    for (FileId id = 1; id < one->files.count; id++) {
        assert_true(text_equal(one->files.items[id].path, many->files.items[id].path));
        assert_int_equal(one->files.items[id].module, many->files.items[id].module);
        assert_int_equal(one->files.items[id].func_base, many->files.items[id].func_base);
    }
    arena_free(&other.arena);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(walks_a_folder_in_order),
        CASE(each_file_counts_once),
        CASE(a_missing_path_is_an_error),
        CASE(a_named_file_is_read_whatever_its_suffix),
        CASE(what_cannot_be_read_is_counted),
        CASE(a_named_fifo_does_not_hang),
        CASE(fifty_megabytes_are_skipped),
        CASE(loops_of_links_end),
        CASE(a_folder_without_python_is_said),
        CASE(an_empty_file_is_a_file),
        CASE(names_modules_by_their_package),
        CASE(loads_the_neighbours_that_it_imports),
        CASE(of_a_large_package_what_is_named_is_read),
        CASE(of_a_small_package_all_is_read),
        CASE(a_named_folder_is_where_imports_begin),
        CASE(of_a_neighbour_only_what_is_asked_for_is_read),
        CASE(a_module_is_asked_by_its_whole_name),
        CASE(what_the_bounds_leave_out_is_counted),
        CASE(of_very_many_stars_those_called_alike_are_followed),
        CASE(torch_is_reached_through_imports),
        CASE(each_script_has_its_own_utils),
        CASE(installed_packages_are_projects_of_their_own),
        CASE(global_ids_find_their_file),
        CASE(what_imports_connect_is_one_part),
        CASE(a_part_is_a_program),
        CASE(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
