/* Findings of earlier runs: packed and unpacked they are the same, forged ones break nothing, and build/syncl uses them for
   the parts of a program of which nothing changed. */
#include "cached.h"
#include "dump_events.h"
#include "dump_facts.h"
#include "kept_findings.h"
#include "infer.h"
#include "project.h"
#include "sites.h"

typedef struct Found {
    Arena arena;
    const Program *whole;
    Program *linked;
    Parts parts;
    const Findings *findings; /* of the first part */
    FindingsAsked asked;
} Found;

static void find_in(Found *found, const char *path) {
    ProjectError error = {0};
    *found = (Found){0};
    found->whole = project_load(&found->arena, &path, 1, NULL, &error);
    assert_non_null(found->whole);
    found->parts = program_parts(&found->arena, found->whole);
    const Part *part = &found->parts.items.items[0];
    found->linked = program_of_part(&found->arena, found->whole, part);
    InferOptions options = {.names = infer_gpu_names(found->whole, rulebook_builtin()), .threads = 1};
    const Inference *inference = infer_program(&found->arena, found->linked, rulebook_builtin(), &options);
    found->findings = sites_find(&found->arena, inference, 1, CONFIDENCE_NONE, NULL);
    found->asked = (FindingsAsked){.whole = found->whole, .part = part, .book = rulebook_builtin()};
}

/* Everything that is told of them, freed by the caller. */
static char *told(const Found *found, const Findings *findings) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    dump_sites(out, found->linked, rulebook_builtin(), findings);
    dump_events(out, found->linked, findings);
    fclose(out);
    return text;
}

/* Sizes of unknown sign. */
static const char cropped[] =
    "import torch\nfrom torch.nn.functional import conv2d, scaled_dot_product_attention\n"
    "def crop(width: int, border: int, kernel):\n"
    "    x = torch.randn(8, 3, width - border, width, device='cuda')\n"
    "    for _ in range(100):\n"
    "        print(conv2d(x, kernel, stride=2).sum().item())\n"
    "        print(conv2d(x, torch.randn(6, 3, 3, 3, device='cuda'), stride=2).sum().item())\n"
    "        print(scaled_dot_product_attention(x, x, x[:, :, : width - border - 9]).sum().item())\n";

static Cache cache_here(Arena *arena) { return cache_at(arena, "../kept", "test"); }

static void findings_come_back_as_they_were(void **state) {
    char path[5000];
    static const char *const scripts[] = {"vae.py", "dcgan.py", "ppo_pendulum.py", NULL};
    write_text("cropped.py", cropped);
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        snprintf(path, sizeof path, "%s/corpus/scripts/%s", the(state)->home, scripts[i] ? scripts[i] : "");
        if (!scripts[i]) snprintf(path, sizeof path, "cropped.py");
        Found found;
        find_in(&found, path);
        Cache cache = cache_here(&found.arena);
        Digest key = kept_findings_key(&found.arena, &found.asked);
        assert_true(kept_findings_keep(&cache, &found.arena, key, found.findings) > 0);
        const Findings *again = kept_findings_find(&cache, &found.arena, &found.arena, key, &found.asked);
        assert_non_null(again);
        assert_true(again->sites.count > 3);
        char *before = told(&found, found.findings), *after = told(&found, again);
        assert_string_equal(before, after);
        for (SiteId id = 1; id < again->sites.count; id++)
            assert_int_equal(again->sites.items[id].reason_count, found.findings->sites.items[id].reason_count);
        free(before), free(after);
        arena_free(&found.arena);
    }
}

static void assert_sound(const Found *found, const Findings *findings) {
    FileId files = found->asked.part->count;
    for (SiteId id = 1; id < findings->sites.count; id++) {
        const Site *site = &findings->sites.items[id];
        assert_true(site->file <= files && site->loop < findings->loops.count);
        assert_true(site->hazard < rulebook_builtin()->hazard_count);
        assert_true(site->confidence <= CONFIDENCE_CERTAIN && site->waits >= 0);
        for (uint32_t i = 0; i < site->reason_count; i++) assert_true(site->reasons[i].file <= files);
    }
    for (HotLoopId id = 1; id < findings->loops.count; id++)
        for (uint32_t i = 0; i < findings->loops.items[id].event_count; i++)
            assert_true(findings->loops.items[id].events[i].site < findings->sites.count);
}

static void forged_findings_are_refused_or_sound(void **state) {
    char path[5000];
    snprintf(path, sizeof path, "%s/corpus/scripts/vae.py", the(state)->home);
    Found found;
    find_in(&found, path);
    Cache cache = cache_here(&found.arena);
    Digest key = {1, 2};
    Text packed;
    assert_true(kept_findings_keep(&cache, &found.arena, key, found.findings) > 0);
    assert_true(cache_read(&cache, &found.arena, BLOCK_FINDINGS, key, &packed));
    uint32_t random = 1, believed = 0, turns = 1500;
    for (uint32_t turn = 0; turn < turns; turn++) {
        Arena scratch = {0};
        char *forged = arena_copy(&scratch, packed.bytes, packed.length);
        for (uint32_t i = 0; i <= turn % 3; i++) {
            random = random * 1664525u + 1013904223u;
            forged[(random >> 8) % packed.length] = (char)(random >> (turn % 2 ? 3 : 1));
        }
        uint32_t length = turn % 5 ? packed.length : (random >> 4) % packed.length;
        assert_true(cache_write(&cache, BLOCK_FINDINGS, key, (Text){forged, length}) > 0);
        const Findings *odd = kept_findings_find(&cache, &scratch, &scratch, key, &found.asked);
        believed += odd != NULL;
        if (odd) assert_sound(&found, odd);
        arena_free(&scratch);
    }
    assert_true(believed < turns);
    arena_free(&found.arena);
}

static Digest key_here(const char *path) {
    Found found;
    find_in(&found, path);
    Digest key = kept_findings_key(&found.arena, &found.asked);
    arena_free(&found.arena);
    return key;
}

static void a_key_is_of_its_part(void **state) {
    (void)state;
    shell("mkdir -p a b && cp train.py a/train.py && cp train.py b/train.py && echo 'import torch' "
          ">a/unrelated.py");
    Digest first = key_here(".");
    shell("echo '# more' >>b/train.py; echo 'import torch, train' >b/other.py");
    assert_true(digest_equal(first, key_here(".")));
    shell("echo '# more' >>a/train.py");
    assert_false(digest_equal(first, key_here(".")));
    Digest second = key_here(".");
    shell("echo 'import train' >>a/unrelated.py"); /* another file belongs to it */
    assert_false(digest_equal(second, key_here(".")));
    assert_false(digest_equal(key_here("a/train.py"), key_here("b/train.py"))); /* the same bytes elsewhere */
}

/* What the run asks of its findings has no say: they are there for other formats, prices and levels. */
static void kept_findings_are_used(void **state) {
    shell("mkdir -p a b && cp train.py a/train.py && cp train.py b/train.py");
    static const char *const lines[] = {"a|b", "--output-format=concise|a|b", "--fail-on=note|a|b",
                                        "--step-time=9ms|a|b", "--select=ALL|a|b"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        forget(same_as_cold(state, lines[i], "other wishes"));
    shell("test \"$(find ../cache/syncl/findings -type f | wc -l)\" = 2");
    shell("echo '# more' >>b/train.py");
    forget(same_as_cold(state, "a|b", "one of two parts changed"));
    shell("test \"$(find ../cache/syncl/findings -type f | wc -l)\" = 3");
    forget(same_as_cold(state, "--min-confidence=possible|a|b", "loops of more findings are told"));
    forget(same_as_cold(state, "b", "one of the two"));
    forget(same_as_cold(state, "--torch-version=2.0|a|b", "facts of another version"));
    forget(same_as_cold(state, "--shape=x=64x64|a|b", "other shapes"));
    forget(same_as_cold(state, "--shape=x=64x32|a|b", "and others"));
    forget(same_as_cold(state, "--dump=events|a", "a dump is of today"));
}

static uint32_t prices_kept(void) {
    uint32_t count = 0;
    DIR *stream = opendir("../cache/syncl/prices");
    for (struct dirent *entry; stream && (entry = readdir(stream));) count += entry->d_name[0] != '.';
    if (stream) closedir(stream);
    return count;
}

/* A loop is priced again where its events change, and not where it only stands elsewhere. */
static void kept_prices_are_used(void **state) {
    shell(
        "(head -n -1 train.py; for i in $(seq 70); do echo '    print((loss * step).item())'; done) >long.py");
    forget(same_as_cold(state, "long.py", "nothing is kept"));
    uint32_t kept = prices_kept();
    assert_true(kept > 0);
    shell("(echo '# moved'; cat long.py) >moved.py; mv moved.py long.py");
    forget(same_as_cold(state, "long.py", "lines moved"));
    forget(same_as_cold(state, "--output-format=concise|long.py", "in another format"));
    assert_int_equal(kept, prices_kept());
    static const char *const changes[] = {"--step-time=9ms|long.py", "--gpu-busy=50%|long.py",
                                          "--profile=$P|long.py", "--min-confidence=possible|long.py",
                                          "--output-format=json|long.py"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        forget(same_as_cold(state, changes[i], "other wishes"));
    assert_true(prices_kept() > kept);
    shell("sed -i '30s/$/  # syncl: allow/' long.py");
    forget(same_as_cold(state, "long.py", "one is allowed"));
    shell("sed -i '31s/step/(step + x.mean())/' long.py");
    forget(same_as_cold(state, "long.py", "an operation more"));
    shell("for block in ../cache/syncl/prices/*; do echo >>$block; done; rm -r ../cache/syncl/results");
    forget(same_as_cold(state, "long.py", "damaged prices"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_cached, leave_cached)

int main(void) {
    name_program();
    const struct CMUnitTest tests[] = {
        TEST(findings_come_back_as_they_were),
        TEST(forged_findings_are_refused_or_sound),
        TEST(a_key_is_of_its_part),
        TEST(kept_findings_are_used),
        TEST(kept_prices_are_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
