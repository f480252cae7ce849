"""Options that a decorator or a parameter's default declares, as click and typer have them."""
import click
import torch
import typer
from click import option
from torch import nn

model = nn.Linear(8, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
app = typer.Typer()


def step():
    loss = model(torch.randn(4, 8, device="cuda")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


@click.group()
def cli():
    pass


@cli.command()
@click.option("--dump", is_flag=True)
@click.option("--check-it/--no-check-it", default=True)
@click.option("--norms/--no-norms")
@click.option("-c", "--clip", type=click.Choice(["norm", "value"]), default="norm")
@click.option("--log", "every", type=int, default=0)
@click.option("--out", type=click.Path())
@click.option("--seed", required=True)
def train(dump, check_it, norms, clip, every, out, seed):
    for _ in range(1000):
        loss = step()
        if dump:
            print(loss.item())  # sync: host-read note
        if check_it:
            print(loss.item())  # sync: host-read certain
        if not check_it:
            print(loss.item())  # sync: host-read note
        if norms:
            print(loss.item())  # sync: host-read note
        if clip == "value":
            print(loss.item())  # sync: host-read note
        elif clip == "norm":
            print(loss.item())  # sync: host-read certain
        if every > 0:
            print(loss.item())  # sync: host-read note
        if out is not None:
            print(loss.item())  # sync: host-read note
        if seed:
            print(loss.item())  # sync: host-read certain


class Fitter:
    def __init__(self, watch):
        self.watch = watch

    def fit(self):
        for _ in range(1000):
            loss = step()
            if self.watch:
                print(loss.item())  # sync: host-read note


@click.command()
@option("--watch", is_flag=True, default=False)
@option("--dump", is_flag=True, default=True)
def watched(watch, dump):
    Fitter(watch).fit()
    for _ in range(1000):
        loss = step()
        if dump:
            print(loss.item())  # sync: host-read certain


@app.command()
def typed(dump: bool = typer.Option(False, "--dump", help="losses"), kind: str = typer.Option(default="l2"),
          check: bool = typer.Option(True), path: str = typer.Option(...)):
    for _ in range(1000):
        loss = step()
        if dump:
            print(loss.item())  # sync: host-read note
        if kind == "l1":
            print(loss.item())  # sync: host-read note
        if check:
            print(loss.item())  # sync: host-read certain
        if path:
            print(loss.item())  # sync: host-read certain


if __name__ == "__main__":
    cli()
    watched()
    app()
