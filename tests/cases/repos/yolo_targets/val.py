import numpy as np
import torch
from tqdm import tqdm

from nms import non_max_suppression


def box_iou(a, b):
    (a1, a2), (b1, b2) = a.unsqueeze(1).chunk(2, 2), b.unsqueeze(0).chunk(2, 2)
    inter = (torch.min(a2, b2) - torch.max(a1, b1)).clamp(0).prod(2)
    return inter / ((a2 - a1).prod(2) + (b2 - b1).prod(2) - inter)


def process_batch(detections, labels, iouv):
    correct = np.zeros((detections.shape[0], iouv.shape[0])).astype(bool)
    iou = box_iou(labels[:, 1:], detections[:, :4])
    correct_class = labels[:, 0:1] == detections[:, 5]
    for i in range(len(iouv)):
        x = torch.where((iou >= iouv[i]) & correct_class)  # sync: dynamic-shape
        if x[0].shape[0]:
            matches = torch.cat((torch.stack(x, 1), iou[x[0], x[1]][:, None]), 1).cpu().numpy()  # sync: copy-to-host
            if x[0].shape[0] > 1:
                matches = matches[matches[:, 2].argsort()[::-1]]
                matches = matches[np.unique(matches[:, 1], return_index=True)[1]]
            correct[matches[:, 1].astype(int), i] = True
    return torch.tensor(correct, dtype=torch.bool, device=iouv.device)  # sync: tensor-from-host


@torch.no_grad()
def run(model, dataloader, device, compute_loss=None, names=(), plots=False):
    model.eval()
    iouv = torch.linspace(0.5, 0.95, 10, device=device)
    niou = iouv.numel()
    seen, loss, stats = 0, torch.zeros(3, device=device), []
    pbar = tqdm(dataloader, desc="val")
    for batch_i, (im, targets, paths, shapes) in enumerate(pbar):
        im = im.to(device, non_blocking=True)
        targets = targets.to(device)  # sync: copy-to-device
        im = im.half() / 255
        nb, _, height, width = im.shape
        preds, train_out = model(im) if compute_loss else (model(im, augment=False), None)
        if compute_loss:
            loss += compute_loss(train_out, targets)[1]
        targets[:, 2:] *= torch.tensor((width, height, width, height), device=device)  # sync: tensor-from-host
        preds = non_max_suppression(preds, 0.001, 0.6)
        for si, pred in enumerate(preds):
            labels = targets[targets[:, 0] == si, 1:]  # sync: dynamic-shape
            nl, npr = labels.shape[0], pred.shape[0]
            correct = torch.zeros(npr, niou, dtype=torch.bool, device=device)
            seen += 1
            if npr == 0:
                if nl:
                    stats.append((correct, *torch.zeros((2, 0), device=device), labels[:, 0]))
                continue
            predn = pred.clone()
            if nl:
                correct = process_batch(predn, labels, iouv)
            stats.append((correct, pred[:, 4], pred[:, 5], labels[:, 0]))
            for *xyxy, conf, cls in predn.tolist():  # sync: host-read
                line = (cls, *xyxy, conf)
    stats = [torch.cat(x, 0).cpu().numpy() for x in zip(*stats)]  # sync: copy-to-host note
    return (loss.cpu() / len(dataloader)).tolist(), stats  # sync: copy-to-host note
