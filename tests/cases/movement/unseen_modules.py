# options: --min-confidence possible
"""What is moved and also asked as only modules are is a module of a class that nobody sees, not a tensor: another method of it
may give a number. What is only moved may be a tensor."""
import torch
from zoo import build, load


class Chained:
    def __init__(self, path):
        self.net = load(path).eval().to("cuda")

    def route(self, prompt):
        return "strong" if self.net.win_rate(prompt) > 0.5 else "weak"


class Kept:
    def __init__(self, path, device=torch.device("cuda")):
        self.net = build(path)
        self.net.eval()
        self.net.to(device)
        self.scale = load(path).to(device)

    def route(self, prompt):
        return "strong" if self.scale.max() > 1 else self.net.win_rate(prompt)  # sync: tensor-truth likely


def weights(path):
    net = build(path)
    for p in net.parameters():
        p.requires_grad = False
    net = net.cuda()
    return net


chained, kept, plain = Chained("a"), Kept("b"), weights("c")
for words in open("words.txt"):
    print(chained.route(words), kept.route(words))
    if plain.rank(words) > 3:
        break
