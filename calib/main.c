/* syncl-calibrate: measures what waiting costs on this machine's GPU and saves it as a profile for syncl. */
#include "host.h"
#include "measure.h"
#include "save.h"
#include "torch_rows.h"
#include <ctype.h>
#include <stdlib.h>

typedef struct Arguments {
    int device;
    const char *output, *python;
    bool help;
} Arguments;

static const char usage[] = "syncl-calibrate [--device N] [--with-torch PYTHON] [-o FILE]\n"
                            "Measures the GPU's waits, launches and copies (under 30 s) and saves a profile.\n"
                            "  --device N           the GPU to measure (default 0)\n"
                            "  --with-torch PYTHON  start this interpreter and time its PyTorch too\n"
                            "  -o FILE              where to save (default: ~/.local/share/syncl/profiles)\n";

static bool parse(int count, char **words, Arguments *arguments, Arena *arena, Text *error) {
    for (int i = 1; i < count; i++) {
        const char *word = words[i], *value = i + 1 < count ? words[i + 1] : NULL;
        char *end = NULL;
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            arguments->help = true;
            return true;
        }
        if (strcmp(word, "--device") && strcmp(word, "-o") && strcmp(word, "--with-torch")) {
            *error = text_format(arena, "unknown option '%s' (see syncl-calibrate --help)", word);
            return false;
        }
        if (!value) {
            *error = text_format(arena, "%s needs a value", word);
            return false;
        }
        i++;
        if (strcmp(word, "-o") == 0) arguments->output = value;
        if (strcmp(word, "--with-torch") == 0) arguments->python = value;
        if (strcmp(word, "--device") == 0) arguments->device = (int)strtol(value, &end, 10);
        if (end && (*end || end == value || arguments->device < 0)) {
            *error = text_format(arena, "--device takes a number, not '%s'", value);
            return false;
        }
    }
    return true;
}

/* One profile a GPU and CPU model, because cluster homes are shared. */
static const char *default_path(Arena *arena, Text device, int driver_version) {
    const char *folder = host_profile_folder(arena);
    if (!folder) return NULL;
    Text cpu = host_cpu(arena);
    Text name = text_format(arena, "%.*s-cuda%d-%.*s", (int)device.length, device.bytes, driver_version / 1000,
                            (int)cpu.length, cpu.bytes);
    char *slug = arena_copy(arena, name.bytes, name.length + 1);
    for (char *c = slug; *c; c++) *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
    return text_format(arena, "%s/%s.json", folder, slug).bytes;
}

static Text measured_text(Arena *arena, const CudaApi *api, Text torch) {
    Text day = host_day(arena), cpu = host_cpu(arena);
    Text framework =
        torch.length ? text_format(arena, ", torch %.*s", (int)torch.length, torch.bytes) : TEXT("");
    return text_format(arena, "%.*s, CUDA driver %d.%d, runtime %d.%d%.*s, %.*s, %.3g cores", (int)day.length,
                       day.bytes, api->driver_version / 1000, api->driver_version % 1000 / 10,
                       api->runtime_version / 1000, api->runtime_version % 1000 / 10, (int)framework.length,
                       framework.bytes, (int)cpu.length, cpu.bytes, host_cores());
}

static void print_closing(const Measurement *measurement, const char *path, bool with_torch) {
    const Profile *measured = &measurement->quantities;
    printf("\nOn this machine a read of one value takes %.0f us when it is ready; a wait leaves the GPU idle "
           "for about\n"
           "%.0f us before the next kernel, and the host goes on %.0f us after the work is done.\n",
           measured->read_back_us.median, measured->idle_gap_us.median, measured->wake_up_us.median);
    if (measurement->warnings)
        printf("warning: %u quantities are widely spread: is the GPU shared, or the host short of cores?\n",
               measurement->warnings);
    if (!with_torch)
        printf("PyTorch's own overhead was not measured: add --with-torch PYTHON to have it in the profile.\n");
    printf("saved %s\n", path);
}

static bool run(Arena *arena, const Arguments *arguments, Text *error) {
    CudaApi api = {0};
    Measurement measurement = {0};
    Text torch = {0};
    if (!cuda_load(&api, arena, arguments->python, error)) return false;
    if (arguments->device >= api.device_count) {
        *error = text_format(arena, "there is no GPU %d here, only %d", arguments->device, api.device_count);
        return false;
    }
    if (arguments->output && !save_lock(arena, arguments->output, error)) return false;
    if (!measure_gpu(&api, arena, arguments->device, stdout, &measurement, error)) return false;
    if (arguments->python &&
        !torch_measure(arena, arguments->python, arguments->device, &measurement.quantities, &torch, error))
        return false;
    const char *path =
        arguments->output ? arguments->output : default_path(arena, measurement.device, api.driver_version);
    if (!path) {
        *error = TEXT("no home folder to save the profile in: name a file with -o");
        return false;
    }
    Save save = {path, measurement.device, measurement.device, measured_text(arena, &api, torch),
                 &measurement.quantities};
    if (!save_profile(arena, &save, error)) return false;
    print_closing(&measurement, path, arguments->python != NULL);
    return true;
}

int main(int count, char **words) {
    Arena arena = {0};
    Arguments arguments = {0};
    Text error = {0};
    bool good = parse(count, words, &arguments, &arena, &error);
    if (good && arguments.help)
        fputs(usage, stdout);
    else if (good)
        good = run(&arena, &arguments, &error);
    if (!good) {
        fprintf(stderr, "syncl: %.*s\n", (int)error.length, error.bytes);
        if (text_starts(error, TEXT("no NVIDIA driver")))
            fputs("Run it where the GPU is (srun --gres=gpu:1 syncl --calibrate -o gpu.syncl) and carry the "
                  "file here for "
                  "--profile; until then syncl prices with its built-in reference.\n",
                  stderr);
    }
    arena_free(&arena);
    return good ? 0 : 2;
}
