"""What can be taken out of each loop: name, the line as it stands, what stands there without the wait.

A replacement keeps the work whose result the line reads and leaves out the wait with the line's own work, which is
what `--trace` says that removing it brings. Waits that cannot leave without changing what is trained stay in.

The loops of calib/validate hold no waits, but comments that add one (calib/validate/changes.py): some of them stand in
the loop `together`, and each of `alone` is measured and traced by itself.
"""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "calib", "validate"))
import changes as added  # noqa: E402

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
    "amp_resnet": dict(path="corpus/scripts/amp_resnet.py", arguments=["--samples", "40000", "--bs", "64", "--epochs", "1000"], changes=[
        ("accuracy", "res.append((correct_k * 100.0 / target.size(0)).item())",
         "res.append((correct_k * 100.0 / target.size(0)).dim() * 1.0)"),
        ("loss", "losses.update(loss.item(), images.size(0))", "losses.update(0.0, images.size(0))"),
        ("postfix", 'pbar.set_postfix(loss=losses.avg, norm=f"{grad_norm:.2f}", scale=scaler.get_scale())',
         'pbar.set_postfix(loss=losses.avg, norm="0.00", scale=1.0)'),
    ]),
    "vae": dict(path="corpus/scripts/vae.py", environment={"N_TRAIN": "32768", "EPOCHS": "100000"}, changes=[
        ("normal", "return Normal(mu, torch.exp(0.5 * logvar))",
         "return Normal(mu, torch.exp(0.5 * logvar), validate_args=False)"),
    ]),
    "trainer_class": dict(path="corpus/scripts/trainer_class.py",
                          arguments=["--samples", "40000", "--epochs", "1000"], changes=[
        ("move", "return [t.to(self.device) for t in batch]",
         "return [t.to(self.device, non_blocking=True) for t in batch]"),
        ("isnan", 'if torch.isnan(logs["loss"]).any():', 'torch.isnan(logs["loss"]).any()'),
        ("scalar", 'self.writer.add_scalar("train/loss", logs["loss"], trainer.step)',
         'self.writer.add_scalar("train/loss", 0.0, trainer.step)'),
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
    "policy": validation_loop("policy", THREE, ("three",), modes=("cuda",)),
})


def loop_source(loop, out=()):
    """The script as it runs, without the added lines of some changes."""
    with open(os.path.join(ROOT, loop["path"])) as file:
        text = file.read()
    if "together" not in loop:
        return text
    wanted = {name for name, _, _ in loop["changes"] if name not in out}
    lines = []
    for line in text.splitlines():
        found = added.ADDED.match(line)
        taken = found and found[2] in wanted
        lines.append(f"{found[1]}{found[3]}  #+ {found[2]}" if taken else added.line(line, None))
    return "\n".join(lines).replace("train(1000)", "train(10000000)") + "\n"
