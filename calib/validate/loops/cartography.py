"""Which pictures a network finds hard: loss, confidence and features of each sample are kept on the CPU, by its number."""
import torch
import torch.nn as nn
import torchvision

N_SAMPLES = 51_200
BATCH = 192
IMG = 192
N_CLASSES = 120

device = torch.device("cuda")
net = torchvision.models.regnet_y_1_6gf(weights=None, num_classes=N_CLASSES)
net = net.to(device)
criterion = nn.CrossEntropyLoss(reduction="none", label_smoothing=0.05)
optimizer = torch.optim.SGD(net.parameters(), lr=1e-6, momentum=0.9, nesterov=True, weight_decay=5e-5)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10_000_000)

images = [torch.randn(BATCH, 3, IMG, IMG) for _ in range(5)]
images_pinned = [x.pin_memory() for x in images]
targets = [torch.randint(N_CLASSES, (BATCH,)) for _ in range(5)]
targets_pinned = [y.pin_memory() for y in targets]
indices = [torch.randint(N_SAMPLES, (BATCH,)) for _ in range(5)]

loss_of = torch.zeros(N_SAMPLES)
confidence_of = torch.zeros(N_SAMPLES)
logits_of = torch.zeros(N_SAMPLES, N_CLASSES)
pixels = [None]
train_loss = []


def train(steps):
    net.train()
    for i in range(steps):
        x = images_pinned[i % 5].to(device, non_blocking=True)  #- upload
        #+ upload: x = images[i % 5].cuda()
        y = targets_pinned[i % 5].to(device, non_blocking=True)
        idx = indices[i % 5]
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = net(x)
            per_sample = criterion(logits, y)
        loss = per_sample.mean()
        #+ item-forward: train_loss.append(loss.item())
        #+ losses-forward: loss_of[idx] = per_sample.detach().float().cpu()
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: train_loss.append(loss.item())
        optimizer.step()
        scheduler.step()
        #+ item-end: train_loss.append(loss.item())
        #+ losses: loss_of[idx] = per_sample.detach().float().cpu()
        #+ confidence: confidence_of[idx] = logits.detach().float().softmax(1).gather(1, y[:, None]).squeeze(1).cpu()
        #+ logits: logits_of[idx] = logits.detach().float().cpu()
        #+ pixels: pixels[0] = x.detach().cpu()
        #+ print: print("loss", loss.detach())
        #+ tenth: if i % 10 == 0: logits_of[idx] = logits.detach().float().cpu()


if __name__ == "__main__":
    train(1000)
