"""The loops' single changes, written into the scripts as comments:

    x = x.to(device, non_blocking=True)  #- upload          the line goes when the change is `upload`
    #+ upload: x = pageable[step % 8].to(device)            the line comes when the change is `upload`

`make(text, change)` gives the script with one change (None: without any); line numbers stay.
"""
import pathlib
import re

LOOPS = pathlib.Path(__file__).parent / "loops"
ADDED = re.compile(r"^(\s*)#\+ ([\w-]+): (.*)$")
DROPPED = re.compile(r"^(.*?)\s*#- ([\w-]+)$")
# The terms of the model were fitted on the first four; the held-out ones were committed before anything was measured of
# them.
TUNED = ("mlp_small", "mlp_wide", "resnet18", "augmented")
HELD_OUT = ("graph", "lstm_micro", "qlearning", "table_loaded", "unet_loaded", "vit_scaled")
HELD_OUT_AGAIN = ("contrast", "diffusion", "policy")
# Committed before they were measured: four transformers, two that copy what they make to the CPU, two whose sizes follow
# from the data.
SIZED = ("bert_masked", "boxes", "feature_bank", "gpt_wide", "pooled_graphs", "restore", "translate", "vit_bfloat")
# Ten more, committed with what was told of them (results/unseen/told.tsv) before they were measured: four transformers, two
# that copy what they make to the CPU, two whose sizes follow from the data, two networks and two optimizers in one step, and
# models of torchvision.
UNSEEN = ("dcgan", "distill_resnet", "forecast", "latents", "links", "llama_text", "masked_patches", "points_detector", "segment",
          "story_gpt")
# Ten more, committed with what was told of them (results/fresh/told.tsv) before they were measured: four transformers of 20 to 50 ms
# a step, two that copy what they make to the CPU, two whose sizes follow from the data, a residual network, two optimizers.
FRESH = ("anchors_ssd", "cartography", "depth_maps", "dit_latents", "papers_sage", "phonemes", "protein_mlm", "sentence_pairs",
         "wgan_gp", "wide_mixup")
# Ten more, of PyTorch alone, committed before anybody looked at what is told of them: see README.md, "The ten of FRESH2".
FRESH2 = ("audio_vq", "dino_crops", "lidar_pillars", "molecules_forces", "nerf_rays", "preference_dpo", "sac_arm", "session_items",
          "speech_translate", "weather_windows")


def names():
    return sorted(path.stem for path in LOOPS.glob("*.py"))


def read(loop):
    return (LOOPS / f"{loop}.py").read_text()


def changes(text):
    return [found[2] for found in map(ADDED.match, text.splitlines()) if found]


def line(text, change):
    added, dropped = ADDED.match(text), DROPPED.match(text)
    if added:
        return added[1] + added[3] if added[2] == change else ""
    if dropped:
        return "" if dropped[2] == change else dropped[1]
    return text


def make(text, change):
    return "\n".join(line(each, change) for each in text.splitlines()) + "\n"
