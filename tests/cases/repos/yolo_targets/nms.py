import time
import torch
import torchvision


def non_max_suppression(prediction, conf_thres=0.25, iou_thres=0.45, classes=None, max_det=300):
    if isinstance(prediction, (list, tuple)):
        prediction = prediction[0]
    device = prediction.device
    bs = prediction.shape[0]
    xc = prediction[..., 4] > conf_thres
    output = [torch.zeros((0, 6), device=device)] * bs
    for xi, x in enumerate(prediction):
        x = x[xc[xi]]  # sync: dynamic-shape
        if not x.shape[0]:
            continue
        x[:, 5:] *= x[:, 4:5]
        conf, j = x[:, 5:].max(1, keepdim=True)
        x = torch.cat((x[:, :4], conf, j.float()), 1)[conf.view(-1) > conf_thres]  # sync: dynamic-shape
        if classes is not None:
            x = x[(x[:, 5:6] == torch.tensor(classes, device=device)).any(1)]  # sync: dynamic-shape  # missed: tensor-from-host
        if not x.shape[0]:
            continue
        x = x[x[:, 4].argsort(descending=True)[:30000]]
        c = x[:, 5:6] * 7680
        i = torchvision.ops.nms(x[:, :4] + c, x[:, 4], iou_thres)  # sync: library-wait
        i = i[:max_det]
        output[xi] = x[i]
    return output
