"""What can be taken out of each loop: name, the line as it stands, what stands there without the wait.

A replacement keeps the work whose result the line reads and leaves out the wait with the line's own work, which is
what `--trace` says that removing it brings. Waits that cannot leave without changing what is trained stay in.

`settings` are lines of a script that a user sets (a size, how often it logs), where no argument does: as they stand, and as
they run; syncl reads what runs. `steps` says which function ends a step where no optimizer does, `turns` how many
optimizer steps make one.

The loops of calib/validate hold no waits, but comments that add one (calib/validate/changes.py): some of them stand in
the loop `together`, and each of `alone` is measured and traced by itself.
"""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "calib", "validate"))
import changes as added  # noqa: E402

AMP_CHANGES = [
    ("accuracy", "res.append((correct_k * 100.0 / target.size(0)).item())",
     "res.append((correct_k * 100.0 / target.size(0)).dim() * 1.0)"),
    ("loss", "losses.update(loss.item(), images.size(0))", "losses.update(0.0, images.size(0))"),
    ("postfix", 'pbar.set_postfix(loss=losses.avg, norm=f"{grad_norm:.2f}", scale=scaler.get_scale())',
     'pbar.set_postfix(loss=losses.avg, norm="0.00", scale=1.0)'),
]
TRAINER_CHANGES = [
    ("move", "return [t.to(self.device) for t in batch]",
     "return [t.to(self.device, non_blocking=True) for t in batch]"),
    ("isnan", 'if torch.isnan(logs["loss"]).any():', 'torch.isnan(logs["loss"]).any()'),
    ("scalar", 'self.writer.add_scalar("train/loss", logs["loss"], trainer.step)',
     'self.writer.add_scalar("train/loss", 0.0, trainer.step)'),
]
LOOPS = {
    "mlp_small": dict(path="tests/truth/loops/mlp_small.py", changes=[
        ("loss", "running += loss.item()", "pass"),
        ("hits", "correct += hits.item()", "pass"),
        ("print", 'print("loss", loss.detach())', "loss.detach()"),
    ]),
    "mlp_wide": dict(path="tests/truth/loops/mlp_wide.py", changes=[
        ("forward", "history.append(loss.item())", "pass"),
        ("mask", "worst = errors[errors > 1.0]", "worst = errors[some]"),
        ("backward", "history.append(norm.item())", "pass"),
        ("print", "print(loss.detach())", "loss.detach()"),
    ]),
    "mlp_loader": dict(path="tests/truth/loops/mlp_loader.py", changes=[
        ("copy", "x = torch.from_numpy(batch).cuda()", "x = torch.from_numpy(batch).cuda(non_blocking=True)"),
        ("loss", "seen += loss.item()", "pass"),
    ]),
    "resnet18": dict(path="tests/truth/loops/resnet18.py", changes=[
        ("images", "x = images[begin:begin + 32].to(device)",
         "x = images[begin:begin + 32].to(device, non_blocking=True)"),
        ("labels", "y = labels[begin:begin + 32].to(device)",
         "y = labels[begin:begin + 32].to(device, non_blocking=True)"),
        ("loss", "losses.update(loss.item(), x.size(0))", "losses.update(0.0, x.size(0))"),
        ("hit", "top1.update(hit.item(), x.size(0))", "top1.update(0.0, x.size(0))"),
    ]),
    "gpt_small": dict(path="tests/truth/loops/gpt_small.py", changes=[
        ("finite", "if not torch.isfinite(loss):", "torch.isfinite(loss)"),
        ("norm", "smoothed = 0.9 * smoothed + 0.1 * norm.item()", "smoothed = 0.9 * smoothed + 0.1"),
        ("loss", "smoothed += float(loss)", "pass"),
    ]),
    "gpt_large": dict(path="tests/truth/loops/gpt_large.py", changes=[
        ("loss", "log.append(loss.item())", "pass"),
        ("norm", "if norm > 1e6:", "norm > 1e6"),
    ]),
    "encoder": dict(path="tests/truth/loops/encoder.py", changes=[
        ("longest", "longest = lengths.max().item()", "longest = lengths.max()"),
        ("loss", "total += loss.item()", "pass"),
        ("hits", "right += hits.item()", "pass"),
    ]),
    "actor_critic": dict(path="tests/truth/loops/actor_critic.py", changes=[
        ("act", "act = action.cpu().numpy()", "act = fixed"),
        ("gain", "gain = torch.from_numpy(reward).to(device)",
         "gain = torch.from_numpy(reward).to(device, non_blocking=True)"),
        ("loss", "score += loss.item()", "pass"),
        ("value", "score += value.mean().item()", "value.mean()"),
    ]),
    "prefetch_events": dict(path="tests/truth/loops/prefetch_events.py", changes=[
        ("copied", "copied.synchronize()", "pass"),
        ("loss", "total += loss.item()", "pass"),
    ]),
    "prefetch_class": dict(path="tests/truth/loops/prefetch_class.py", changes=[
        ("sync", "torch.cuda.synchronize()", "pass"),
        ("loss", "running += loss.item()", "pass"),
    ]),
    "cache_clear": dict(path="tests/truth/loops/cache_clear.py", changes=[
        ("clear", "torch.cuda.empty_cache()", "pass"),
    ]),
    "cifar_cnn": dict(path="corpus/scripts/cifar_cnn.py", arguments=["--samples", "30000", "--log-interval", "100000", "--epochs", "1000"],
                      changes=[
        ("copies", "data, target = data.to(device), target.to(device)",
         "data, target = data.to(device, non_blocking=True), target.to(device, non_blocking=True)"),
        ("loss", "running_loss += loss.item()", "pass"),
        ("correct", "correct += (pred == target).sum().item()", "(pred == target).sum()"),
    ]),
    "amp_resnet": dict(path="corpus/scripts/amp_resnet.py", arguments=["--samples", "40000", "--bs", "64", "--epochs", "1000"], changes=AMP_CHANGES),
    "vae": dict(path="corpus/scripts/vae.py", environment={"N_TRAIN": "32768", "EPOCHS": "100000"}, changes=[
        ("normal", "return Normal(mu, torch.exp(0.5 * logvar))",
         "return Normal(mu, torch.exp(0.5 * logvar), validate_args=False)"),
    ]),
    "trainer_class": dict(path="corpus/scripts/trainer_class.py",
                          arguments=["--samples", "40000", "--epochs", "1000"], changes=TRAINER_CHANGES),
    # Since the tenth recording: whole scripts at sizes at which the GPU sets the pace.
    "amp_large": dict(path="corpus/scripts/amp_resnet.py", arguments=["--samples", "64000", "--bs", "64", "--lr", "0.001", "--epochs", "100000"],
                      settings=[("def __init__(self, n_classes=10, width=32):", "def __init__(self, n_classes=10, width=640):")],
                      changes=AMP_CHANGES),
    "trainer_large": dict(path="corpus/scripts/trainer_class.py", arguments=["--samples", "200000", "--epochs", "100000"], settings=[
        ("batch_size: int = 64", "batch_size: int = 128"), ("d_model: int = 64", "d_model: int = 512"),
        ("seq_len: int = 32", "seq_len: int = 256"), ("log_every: int = 25", "log_every: int = 1000000"),
        ("patience: int = 3", "patience: int = 1000000"),
    ], changes=TRAINER_CHANGES),
    "gpt_accum": dict(path="corpus/scripts/gpt_accum.py", environment={"MAX_ITERS": "100000000", "EVAL_INTERVAL": "100000000"}, settings=[
        ("block_size: int = 64", "block_size: int = 256"), ("n_layer: int = 2", "n_layer: int = 4"),
        ("n_head: int = 4", "n_head: int = 8"), ("n_embd: int = 64", "n_embd: int = 512"),
        ("log_interval: int = 10", "log_interval: int = 1"),
    ], changes=[
        ("loss", "lossf = loss.item() * cfg.accum_steps", "lossf = 1.0 * cfg.accum_steps"),
    ]),
    "lstm_lm": dict(path="corpus/scripts/lstm_lm.py", steps="torch.nn.utils.clip_grad_norm_", arguments=[
        "--emsize", "1024", "--nhid", "1024", "--ntokens", "2000", "--batch_size", "256", "--corpus", "40000000",
        "--log-interval", "1000000", "--lr", "0.01", "--epochs", "100000"], settings=[
        ("words = rng.zipf(1.3, size=n) % args.ntokens", "words = rng.integers(0, args.ntokens, size=n)"),
    ], changes=[
        ("loss", "total_loss += loss.item()", "pass"),
    ]),
    "dcgan": dict(path="corpus/scripts/dcgan.py", turns=2, arguments=[
        "--ngf", "768", "--ndf", "768", "--nimages", "60000", "--lr", "0.00001", "--niter", "100000", "--manualSeed", "1"], settings=[
        ('print("[%d/%d][%d/%d] Loss_D: %.4f Loss_G: %.4f D(x): %.4f D(G(z)): %.4f / %.4f"',
         'print("[%d][%d] Loss_D: %.4f Loss_G: %.4f D(x): %.4f D(G(z)): %.4f / %.4f" % (epoch, i, errD.item(), errG.item(), D_x, D_G_z1, D_G_z2))'),
        ("% (epoch, opt.niter, i, len(dataloader),", ""), ("errD.item(), errG.item(), D_x, D_G_z1, D_G_z2))", ""),
        ("if i % 100 == 0:", "if i % 100000 == 0:"),
    ], changes=[
        ("copy", "real_cpu = data[0].to(device)", "real_cpu = data[0].to(device, non_blocking=True)"),
        ("real", "D_x = output.mean().item()", "output.mean(); D_x = 0.0"),
        ("fake", "D_G_z1 = output.mean().item()", "output.mean(); D_G_z1 = 0.0"),
        ("both", "D_G_z2 = output.mean().item()", "output.mean(); D_G_z2 = 0.0"),
        ("print", 'print("[%d][%d] Loss_D: %.4f Loss_G: %.4f D(x): %.4f D(G(z)): %.4f / %.4f" % (epoch, i, errD.item(), errG.item(), D_x, D_G_z1, D_G_z2))',
         'print("[%d][%d] Loss_D: %.4f Loss_G: %.4f D(x): %.4f D(G(z)): %.4f / %.4f" % (epoch, i, 0.0, 0.0, D_x, D_G_z1, D_G_z2))'),
    ]),
    "seg_distill": dict(path="corpus/scripts/seg_distill.py", arguments=["--teacher-iters", "1", "--images", "16000", "--lr", "0.0001", "--epochs", "100000"],
                        settings=[
        ("teacher = pretrain_teacher(make_net(64, 4).to(device), loader, device, args.teacher_iters)",
         "teacher = pretrain_teacher(make_net(768, 4).to(device), loader, device, args.teacher_iters)"),
        ("student = make_net(16, 4).to(device)", "student = make_net(768, 4).to(device)"),
    ], changes=[
        ("isnan", 'assert not torch.isnan(loss), "loss is NaN"', "torch.isnan(loss)"),
    ]),
    "gpt_deep": dict(path="tests/truth/loops/gpt_large.py", settings=[
        ("model = GPT(vocabulary=8192, length=512, width=1024, heads=16, layers=4).cuda()",
         "model = GPT(vocabulary=8192, length=512, width=1024, heads=16, layers=12).cuda()"),
    ], changes=[
        ("loss", "log.append(loss.item())", "pass"),
        ("norm", "if norm > 1e6:", "norm > 1e6"),
    ]),
    "prefetch_wide": dict(path="tests/truth/loops/prefetch_class.py", settings=[
        ("nn.Conv2d(3, 64, 3, padding=1), nn.ReLU(), nn.Conv2d(64, 128, 3, 2, 1), nn.ReLU(),",
         "nn.Conv2d(3, 128, 3, padding=1), nn.ReLU(), nn.Conv2d(128, 256, 3, 2, 1), nn.ReLU(),"),
        ("nn.Conv2d(128, 256, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 10)).cuda()",
         "nn.Conv2d(256, 512, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10)).cuda()"),
    ], changes=[
        ("sync", "torch.cuda.synchronize()", "pass"),
        ("loss", "running += loss.item()", "pass"),
    ]),
    "encoder_large": dict(path="tests/truth/loops/encoder.py", settings=[
        ("def __init__(self, width=256, layers=4):", "def __init__(self, width=512, layers=4):"),
        ("tokens = torch.randint(0, 2000, (32, 64), device=device)", "tokens = torch.randint(0, 2000, (128, 64), device=device)"),
        ("tags = torch.randint(0, 12, (32, 64), device=device)", "tags = torch.randint(0, 12, (128, 64), device=device)"),
        ("lengths = torch.randint(20, 64, (32,), device=device)", "lengths = torch.randint(20, 64, (128,), device=device)"),
    ], changes=[
        ("longest", "longest = lengths.max().item()", "longest = lengths.max()"),
        ("loss", "total += loss.item()", "pass"),
        ("hits", "right += hits.item()", "pass"),
    ]),
    # For syncl record (record_loops.py).
    "compiled": dict(path="tests/truth/loops/compiled.py", changes=[
        ("isnan", "if torch.isnan(loss):", "torch.isnan(loss)"),
        ("loss", "total += loss.item()", "pass"),
    ]),
    "graphed": dict(path="tests/truth/loops/graphed.py", changes=[
        ("copy", "batch = source[step % 64].to(device)", "batch = source[step % 64].to(device, non_blocking=True)"),
        ("loss", "total += loss.item()", "pass"),
        ("norm", "norms += norm.item()", "pass"),
    ]),
    "lightning_fit": dict(path="tests/truth/loops/lightning_fit.py", changes=[
        ("loss", "self.seen += loss.item()", "pass"),
        ("norm", "self.largest = max(self.largest, norm.item())", "pass"),
    ]),
    "ddp": dict(path="tests/truth/loops/ddp.py", ranks=2, changes=[
        ("loss", "total += loss.item()", "pass"),
        ("share", "right += share.item()", "pass"),
    ]),
}

WITHOUT = {"print": "loss.detach()", "norm": "norm > 1e6", "count": "(tokens == 0).sum()",  # what stays of an added line
           "hits": "(out.argmax(1) == labels).sum()", "predictions": "out.argmax(1)",
           "keep": "out.detach().argmax(1)"}


def validation_loop(name, together, alone, **more):
    text = added.read(name)
    lines = {found[2]: found[3] for found in map(added.ADDED.match, text.splitlines()) if found}
    changes = [(one, f"{lines[one]}  #+ {one}", WITHOUT.get(one, "pass")) for one in dict.fromkeys([*together, *alone])]
    return dict(path=f"calib/validate/loops/{name}.py", changes=changes, together=list(together), alone=list(alone), **more)


THREE, FIVE = ("item-forward", "item-backward", "print"), ("item-forward", "item-backward", "item-end", "print", "copy")
LOOPS.update({
    "even": validation_loop("mlp_even", THREE, FIVE, modes=("cuda", "cpu", "stack")),
    "long": validation_loop("gpt_long", THREE, FIVE, modes=("cuda", "cpu", "stack")),
    "short": validation_loop("gpt_short", THREE, ("item-backward", "print"), modes=("cuda", "cpu")),
    "resnet50": validation_loop("resnet50", THREE, FIVE, modes=("cuda",)),
    "augmented": validation_loop("augmented", THREE, FIVE, modes=("cuda",)),
    "wide": validation_loop("mlp_wide", THREE, FIVE, modes=("cuda",)),
    "accumulate": validation_loop("accumulate", THREE, ("item-backward", "print"), modes=("cuda",)),
    "rollout": validation_loop("rollout", ("item-backward", "print"), (), modes=("cuda",)),
    # Never traced before the replay's last change.
    "contrast": validation_loop("contrast", ("item-forward", "item-backward", "three"), ("item-forward", "item-end", "matrix"),
                                modes=("cuda", "cpu", "stack")),
    "lstm": validation_loop("lstm_micro", ("item-micro", "item-backward", "norm"), ("item-micro", "count", "print"),
                            modes=("cuda", "cpu", "stack")),
    "unet": validation_loop("unet_loaded", THREE, ("item-forward", "item-end", "keep"), modes=("cuda",)),
    # Since the seventh recording.
    "vit": validation_loop("vit_scaled", THREE, ("item-forward", "item-end", "hits"), modes=("cuda",)),
    "diffusion": validation_loop("diffusion", THREE, ("item-forward", "item-end", "levels"), modes=("cuda",)),
    "graph": validation_loop("graph", THREE, ("item-forward", "item-end", "predictions"), modes=("cuda",)),
    "qlearning": validation_loop("qlearning", THREE, ("priorities",), modes=("cuda",)),
    # Since the tenth, larger.
    "vit_large": validation_loop("vit_scaled", THREE, ("item-forward", "item-end"), modes=("cuda",), settings=[
        ("batch, image, patch, width, heads, layers, classes = 64, 128, 8, 384, 6, 8, 100",
         "batch, image, patch, width, heads, layers, classes = 256, 128, 8, 384, 6, 8, 100")]),
    "contrast_large": validation_loop("contrast", ("item-forward", "item-backward", "three"), ("item-forward", "item-end"),
                                      modes=("cuda",), settings=[
        ("batch, side, length, words, width = 256, 64, 32, 8192, 256", "batch, side, length, words, width = 1024, 64, 32, 8192, 256")]),
    "accumulate_large": validation_loop("accumulate", THREE, ("item-backward", "print"), modes=("cuda",), settings=[
        ("batch, micro = 32, 4", "batch, micro = 384, 4")]),
    "policy": validation_loop("policy", THREE, ("three",), modes=("cuda",)),
})


def with_settings(text, settings):
    """The script with some of its lines as they run."""
    lines = text.split("\n")
    for before, after in settings:
        (at,) = [at for at, line in enumerate(lines) if line.split("  # ")[0].strip() == before]
        indent = lines[at][:len(lines[at]) - len(lines[at].lstrip())]
        lines[at] = indent + after if after else ""
    return "\n".join(lines)


def loop_source(loop, out=()):
    """The script as it runs, without the added lines of some changes."""
    with open(os.path.join(ROOT, loop["path"])) as file:
        text = with_settings(file.read(), loop.get("settings", ()))
    if "together" not in loop:
        return text
    wanted = {name for name, _, _ in loop["changes"] if name not in out}
    lines = []
    for line in text.splitlines():
        found = added.ADDED.match(line)
        taken = found and found[2] in wanted
        lines.append(f"{found[1]}{found[3]}  #+ {found[2]}" if taken else added.line(line, None))
    return "\n".join(lines).replace("train(1000)", "train(10000000)") + "\n"
