/* syncl-calibrate: measures what waiting costs on this machine's GPU, and saves it as a profile for syncl. */
#include "host.h"
#include "lock.h"
#include "machine.h"
#include "measure.h"
#include "save.h"
#include "table.h"
#include "torch_rows.h"
#include "usage.h"
#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Arguments {
    int device; /* -1 = all */
    const char *output, *python, *samples;
    bool help, if_present, quick, even_if_busy, device_named;
} Arguments;

/* A desktop uses the GPU less than this percentage of the time; more is another program's work. */
enum { BUSY_PERCENT = 15 };

static const char usage[] =
    "syncl-calibrate [--device N|all] [--with-torch PYTHON] [--samples FILE] [-o FILE]\n"
    "Measures the GPU's waits, launches and copies (under 30 s) and saves a profile.\n"
    "  --device N|all       the GPU to measure (default 0), or one of each kind\n"
    "  --with-torch PYTHON  start this interpreter and time its PyTorch too (15 s more)\n"
    "  --samples FILE       keep every sample, as JSON\n"
    "  --even-if-busy       measure although other programs use the GPU; the profile says so\n"
    "  --quick              one pass instead of three, to try it out\n"
    "  --if-present         exit 3, not 2, where there is no GPU\n"
    "  -o FILE              where to save (default: ~/.local/share/syncl/profiles)\n";

static bool parse_device(Arguments *arguments, const char *value, Arena *arena, Text *error) {
    char *end = NULL;
    long number = strtol(value, &end, 10);
    bool all = strcmp(value, "all") == 0;
    arguments->device = all ? -1 : (int)number, arguments->device_named = true;
    if (all || (end != value && !*end && number >= 0 && number < 1000)) return true;
    *error = text_format(arena, "--device takes a number or all, not '%s'", value);
    return false;
}

static bool take_flag(Arguments *arguments, const char *word) {
    bool quick = strcmp(word, "--quick") == 0, if_present = strcmp(word, "--if-present") == 0;
    bool even_if_busy = strcmp(word, "--even-if-busy") == 0;
    arguments->quick |= quick, arguments->if_present |= if_present, arguments->even_if_busy |= even_if_busy;
    return quick || if_present || even_if_busy;
}

static bool parse(int count, char **words, Arguments *arguments, Arena *arena, Text *error) {
    static const char *const names[] = {"--device", "-o", "--with-torch", "--samples"};
    const char **const places[] = {NULL, &arguments->output, &arguments->python, &arguments->samples};
    for (int i = 1; i < count; i++) {
        const char *word = words[i], *value = i + 1 < count ? words[i + 1] : NULL;
        size_t name = 0, known = sizeof names / sizeof names[0];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return arguments->help = true;
        if (take_flag(arguments, word)) continue;
        while (name < known && strcmp(word, names[name]) != 0) name++;
        if (name == known || !value) {
            *error = name == known
                         ? text_format(arena, "unknown option '%s' (see syncl --calibrate --help)", word)
                         : text_format(arena, "%s needs a value", word);
            return false;
        }
        i++;
        if (places[name])
            *places[name] = value;
        else if (!parse_device(arguments, value, arena, error))
            return false;
    }
    return true;
}

/* Shared by the functions that calibrate one GPU. */
typedef struct Run {
    Arena *arena;
    CudaApi api;
    Machine machine;
    const Arguments *arguments;
    Text *error;
} Run;

/* One profile for each GPU, driver and CPU model, because home folders of clusters are shared. */
static const char *default_path(Run *run, Text device) {
    const char *folder = host_profile_folder(run->arena);
    const Machine *machine = &run->machine;
    if (!folder) {
        *run->error = TEXT("no home folder to save the profile in: name a file with -o");
        return NULL;
    }
    Text driver = machine->driver ? text_format(run->arena, "%d", machine->driver)
                                  : text_format(run->arena, "cuda%d", run->api.driver_version / 1000);
    Text name = text_format(run->arena, "%.*s-%.*s-%.*s", (int)device.length, device.bytes, (int)driver.length,
                            driver.bytes, (int)machine->cpu.length, machine->cpu.bytes);
    char *slug = arena_copy(run->arena, name.bytes, name.length + 1);
    for (char *c = slug; *c; c++) *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
    return text_format(run->arena, "%s/%s.json", folder, slug).bytes;
}

static Text measured_text(Arena *arena, const SaveHost *host) {
    Text day = host_day(arena);
    Text framework = host->torch.length
                         ? text_format(arena, ", torch %.*s", (int)host->torch.length, host->torch.bytes)
                         : TEXT("");
    Text driver = host->driver ? text_format(arena, "driver %d, ", host->driver) : TEXT("");
    Text busy = host->busy_percent >= BUSY_PERCENT
                    ? text_format(arena, ", others kept the GPU %d %% busy", host->busy_percent)
                    : TEXT("");
    return text_format(arena, "%.*s, %.*sCUDA %d.%d, runtime %d.%d%.*s, %.*s, %.3g cores%.*s", (int)day.length,
                       day.bytes, (int)driver.length, driver.bytes, host->cuda / 1000, host->cuda % 1000 / 10,
                       host->runtime / 1000, host->runtime % 1000 / 10, (int)framework.length, framework.bytes,
                       (int)host->cpu.length, host->cpu.bytes, host->cores, (int)busy.length, busy.bytes);
}

/* Makes sure that neither another calibration nor other work runs meanwhile: both would distort the numbers. */
static bool take(Run *run, int device, int *busy_percent) {
    char address[64] = "";
    if (run->api.cudaDeviceGetPCIBusId(address, sizeof address, device) != cudaSuccess)
        snprintf(address, sizeof address, "gpu%d", device);
    if (!lock_gpu(run->arena, address, run->error)) return false;
    *busy_percent = usage_percent(address);
    if (*busy_percent < BUSY_PERCENT || run->arguments->even_if_busy) return true;
    *run->error = text_format(run->arena,
                              "GPU %d (%s) is busy: other programs use it %d %% of the time; nothing measured. "
                              "Try again when it is free, or add --even-if-busy",
                              device, address, *busy_percent);
    return false;
}

static bool calibrate(Run *run, int device, Text name) {
    const Arguments *arguments = run->arguments;
    Measurement *measurement = arena_new(run->arena, Measurement, 1);
    SaveHost host = {.cpu = run->machine.cpu,
                     .cores = host_cores(run->arena),
                     .driver = run->machine.driver,
                     .cuda = run->api.driver_version,
                     .runtime = run->api.runtime_version};
    const char *path = arguments->output;
    if (!path) path = default_path(run, name);
    if (!path || !save_possible(run->arena, path, run->error) || !take(run, device, &host.busy_percent))
        return false;
    printf("measuring %.*s\n", (int)name.length, name.bytes);
    if (!measure_gpu(&run->api, run->arena, device, arguments->quick, stdout, measurement, run->error))
        return false;
    if (arguments->python &&
        !torch_measure(run->arena, arguments->python, device, measurement, &host.torch, run->error))
        return false;
    Save save = {path, name, name, measured_text(run->arena, &host), host, measurement};
    if (!save_profile(run->arena, &save, run->error)) return false;
    if (arguments->samples && !save_samples(run->arena, arguments->samples, measurement, run->error))
        return false;
    table_print(stdout, measurement, &host);
    printf("saved %s\n", path);
    return true;
}

static bool read_names(Run *run, Text *names) {
    for (int device = 0; device < run->api.device_count; device++)
        if (!measure_name(&run->api, run->arena, device, &names[device], run->error)) return false;
    return true;
}

/* Mentions the other GPUs, if the user named none and they differ. */
static void say_others(const Run *run, const Text *names) {
    for (int device = 1; device < run->api.device_count && !run->arguments->device_named; device++) {
        if (text_equal(names[device], names[0])) continue;
        printf("GPU %d is another kind (%.*s): --device %d measures it, --device all one of each kind\n",
               device, (int)names[device].length, names[device].bytes, device);
        return;
    }
}

/* Measures the first GPU of each kind: equal GPUs share a profile. */
static bool run_all(Run *run, const Text *names) {
    for (int device = 0; device < run->api.device_count; device++) {
        int same = 0;
        while (same < device && !text_equal(names[same], names[device])) same++;
        if (same < device)
            printf("GPU %d is another %.*s, as GPU %d: one profile serves both\n", device,
                   (int)names[device].length, names[device].bytes, same);
        else if (!calibrate(run, device, names[device]))
            return false;
    }
    return true;
}

static bool run_calibrations(Run *run) {
    const Arguments *arguments = run->arguments;
    if (arguments->device < 0 && (arguments->output || arguments->samples)) {
        *run->error = TEXT("--device all saves a profile a kind of GPU: -o and --samples name a single file");
        return false;
    }
    if (!cuda_load(&run->api, run->arena, arguments->python, run->error)) return false;
    Text *names = arena_new(run->arena, Text, (uint32_t)run->api.device_count);
    if (!read_names(run, names)) return false;
    if (arguments->device < 0) return run_all(run, names);
    if (arguments->device >= run->api.device_count) {
        const char *visible = getenv("CUDA_VISIBLE_DEVICES");
        *run->error = text_format(run->arena, "there is no GPU %d here, only %d%s%s", arguments->device,
                                  run->api.device_count, visible ? ", with CUDA_VISIBLE_DEVICES=" : "",
                                  visible ? visible : "");
        return false;
    }
    say_others(run, names);
    return calibrate(run, arguments->device, names[arguments->device]);
}

/* The profile is renamed into place at once, so there is either nothing or all of it. The driver frees the
   GPU's memory. */
static void interrupted(int signal_number) {
    static const char words[] = "\nsyncl: interrupted; nothing saved, an older profile stays as it was\n";
    (void)signal_number;
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) _exit(2);
    _exit(2);
}

static int explain_failure(const Run *run) {
    fprintf(stderr, "syncl: %.*s\n", (int)run->error->length, run->error->bytes);
    if (run->api.no_gpu && run->arguments->if_present) return 3;
    if (text_starts(*run->error, TEXT("no NVIDIA driver")))
        fputs("Run it where the GPU is (srun --gres=gpu:1 syncl --calibrate -o gpu.syncl) and carry the file "
              "here "
              "for --profile; until then syncl prices with its built-in reference.\n",
              stderr);
    return 2;
}

int main(int count, char **words) {
    Arena arena = {0};
    Arguments arguments = {0};
    Text error = {0};
    Run run = {.arena = &arena, .arguments = &arguments, .error = &error, .machine = machine_read(&arena, "")};
    (void)signal(SIGINT, interrupted);
    (void)signal(SIGTERM, interrupted);
    (void)signal(SIGHUP, interrupted);
    bool good = parse(count, words, &arguments, &arena, &error);
    if (good && arguments.help)
        fputs(usage, stdout);
    else if (good)
        good = run_calibrations(&run);
    int status = good ? 0 : explain_failure(&run);
    arena_free(&arena);
    return status;
}
