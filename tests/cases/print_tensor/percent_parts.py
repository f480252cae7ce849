"""A text put together, and operands unpacked into it."""
import torch


def log(loader, model, bar):
    losses = {"box": torch.zeros((), device="cuda"), "cls": torch.zeros((), device="cuda")}
    for epoch, batch in enumerate(loader):
        count = len(losses)
        bar.set_description(
            ("%11s" * 2 + "%11.4g" * (2 + count))
            % (
                f"{epoch}/10",
                "1.5G",
                *losses.values(),  # sync: host-read
                batch.shape[0],
                batch.shape[-1],
            )
        )
        form = "%d of %d: %.3f"
        print(form % (epoch, 10, losses["box"]))  # sync: host-read
        print(("%d " * 2 + "%s") % (epoch, count, model))
        print("%d%%" % epoch + "done")
