import os

import numpy as np
import torch

from core.datasets import SyntheticFlow, flow_to_color, write_ppm


@torch.no_grad()
def validate(model, args, iters=12, n=32):
    """ EPE / 1px / 3px over valid pixels, and EPE per refinement iteration """
    model.eval()
    val_set = SyntheticFlow(n, args.image_size, seed=2)
    epe_list, per_iter = [], []
    for val_id in range(0, len(val_set), 8):
        batch = [val_set[i] for i in range(val_id, min(val_id + 8, len(val_set)))]
        image1, image2, flow_gt, valid = [torch.stack(b).cuda() for b in zip(*batch)]
        _, preds = model(image1, image2, iters=iters)
        sel = valid > 0.5
        epe = torch.sum((preds[-1] - flow_gt) ** 2, dim=1).sqrt()
        epe_list.append(epe[sel].cpu().numpy())
        per_iter.append([torch.sum((p - flow_gt) ** 2, dim=1).sqrt()[sel].mean().item() for p in preds])
    epe_all = np.concatenate(epe_list)
    epe, px1, px3 = np.mean(epe_all), np.mean(epe_all < 1), np.mean(epe_all < 3)
    print("Validation EPE: %.3f, 1px: %.3f, 3px: %.3f" % (epe, px1, px3))
    print("   per iter: " + " ".join("%.2f" % v for v in np.mean(per_iter, axis=0)))
    model.train()
    return {'epe': float(epe), '1px': float(px1), '3px': float(px3)}


@torch.no_grad()
def dump_visuals(model, args, out_dir, n=2):
    model.eval()
    os.makedirs(out_dir, exist_ok=True)
    val_set = SyntheticFlow(n, args.image_size, seed=2)
    for i in range(n):
        image1, image2, flow_gt, _ = val_set[i]
        _, preds = model(image1[None].cuda(), image2[None].cuda(), iters=12)
        pred = preds[-1][0].permute(1, 2, 0).cpu().numpy()
        panel = np.concatenate([image1.permute(1, 2, 0).numpy().astype(np.uint8),
                                flow_to_color(flow_gt.permute(1, 2, 0).numpy()), flow_to_color(pred)], axis=1)
        write_ppm(os.path.join(out_dir, 'val_%03d.ppm' % i), panel)
    model.train()
