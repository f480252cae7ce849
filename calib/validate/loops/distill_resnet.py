"""A ResNet-18 learns from a ResNet-34, both of torchvision, in channels-last bfloat16."""
import torch
import torch.nn.functional as F
import torchvision

BATCH, SIZE, CLASSES, TEMPERATURE = 256, 160, 100, 4.0
device = torch.device("cuda")
teacher = torchvision.models.resnet34(weights=None, num_classes=CLASSES).eval()
student = torchvision.models.resnet18(weights=None, num_classes=CLASSES)
for network in (teacher, student):
    network.to(device, memory_format=torch.channels_last)
optimizer = torch.optim.SGD(student.parameters(), lr=1e-6, momentum=0.9, weight_decay=1e-4)
images_cpu = [torch.randn(BATCH, 3, SIZE, SIZE) for _ in range(4)]
images_pinned = [images.pin_memory() for images in images_cpu]
labels_gpu = [torch.randint(0, CLASSES, (BATCH,), device=device) for _ in range(4)]
meter = []


def train(steps):
    student.train()
    for step in range(steps):
        images = images_pinned[step % 4].to(device, non_blocking=True)  #- upload
        #+ upload: images = images_cpu[step % 4].to(device)
        images = images.to(memory_format=torch.channels_last)
        labels = labels_gpu[step % 4]
        with torch.autocast("cuda", dtype=torch.bfloat16):
            with torch.no_grad():
                wanted = teacher(images)
            logits = student(images)
        hard = F.cross_entropy(logits.float(), labels)
        soft = F.kl_div(F.log_softmax(logits.float() / TEMPERATURE, dim=1),
                        F.softmax(wanted.float() / TEMPERATURE, dim=1), reduction="batchmean") * TEMPERATURE ** 2
        loss = 0.1 * hard + 0.9 * soft
        #+ item-forward: meter.append(loss.item())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        #+ item-backward: meter.append(loss.item())
        optimizer.step()
        #+ item-end: meter.append(loss.item())
        #+ losses: meter.append((hard.item(), soft.item()))
        #+ top1: meter.append((logits.argmax(dim=1) == labels).sum().item())
        #+ blown: if loss > 1e6: break
        #+ print: print("loss", loss.detach())
        #+ tenth: if step % 10 == 0: print(f"{step} {hard.item():.3f} {soft.item():.3f}")


if __name__ == "__main__":
    train(1000)
