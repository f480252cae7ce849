"""A detector of one scale: how many anchors match is known on the GPU alone."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision

device = torch.device("cuda")
batch, side, classes, grid, shapes = 8, 256, 20, 32, 3
anchors_count = grid * grid * shapes


def block(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, 2, 1, bias=False), nn.BatchNorm2d(outputs), nn.SiLU(),
                         nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs), nn.SiLU())


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(block(3, 64), block(64, 128), block(128, 256))
        self.score = nn.Conv2d(256, shapes * classes, 1)
        self.box = nn.Conv2d(256, shapes * 4, 1)

    def forward(self, images):
        x = self.body(images)
        scores = self.score(x).permute(0, 2, 3, 1).reshape(images.shape[0], -1, classes)
        return scores, self.box(x).permute(0, 2, 3, 1).reshape(images.shape[0], -1, 4)


model = Detector().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-5, momentum=0.9, weight_decay=1e-4)
corners = torch.rand(anchors_count, 2, device=device) * (side - 64)
anchors = torch.cat([corners, corners + 64], dim=1)
pinned = [torch.rand(batch, 3, side, side).pin_memory() for _ in range(4)]
pageable = [torch.rand(batch, 3, side, side) for _ in range(4)]
begin = torch.rand(4, batch, 10, 2, device=device) * (side - 80)
objects = torch.cat([begin, begin + 48 + 32 * torch.rand_like(begin)], dim=3)
kinds = torch.randint(0, classes, (4, batch, 10), device=device)
seen = []


def train(steps):
    model.train()
    for step in range(steps):
        images = pinned[step % 4].to(device, non_blocking=True)  #- upload
        #+ upload: images = pageable[step % 4].to(device)
        scores, offsets = model(images)
        overlap = torchvision.ops.box_iou(anchors, objects[step % 4].reshape(-1, 4))
        best, which = overlap.view(anchors_count, batch, 10).permute(1, 0, 2).max(2)
        matched = best > 0.4
        labels = kinds[step % 4].gather(1, which)
        targets = F.one_hot(labels, classes).float() * matched[..., None]
        score_loss = F.binary_cross_entropy_with_logits(scores, targets)
        wanted = objects[step % 4].gather(1, which[..., None].expand(-1, -1, 4)) / side
        box_loss = (F.smooth_l1_loss(offsets, wanted, reduction="none").sum(2) * matched).sum() / matched.sum()  #- mask-loss
        #+ mask-loss: box_loss = F.smooth_l1_loss(offsets[matched], wanted[matched])
        loss = score_loss + box_loss
        #+ item-forward: seen.append(loss.item())
        optimizer.zero_grad()
        #+ none: if matched.sum() == 0: continue
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        #+ item-end: seen.append((score_loss.item(), box_loss.item()))
        #+ count: seen.append(matched.sum(1).tolist())
        #+ nms: kept = torchvision.ops.nms(anchors, scores[0].detach().max(1)[0], 0.5)
        #+ found: found = (scores.detach().sigmoid() > 0.9).nonzero()
        #+ print: print("loss", loss.detach())
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
