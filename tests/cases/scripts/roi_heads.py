"""A detectron2 project: own head with relation losses, an evaluator, a hook."""
import copy
import itertools
import json
import logging
import os
from collections import OrderedDict
from typing import Dict, List, Tuple

import numpy as np
import torch
import torch.nn.functional as F
from detectron2.config import configurable
from detectron2.engine import DefaultTrainer, HookBase, default_argument_parser, default_setup, launch
from detectron2.evaluation import DatasetEvaluator
from detectron2.layers import batched_nms, cat, nonzero_tuple
from detectron2.modeling import ROI_HEADS_REGISTRY, StandardROIHeads
from detectron2.structures import Boxes, Instances, pairwise_iou
from detectron2.utils import comm
from detectron2.utils.events import get_event_storage
from torch import nn


def fast_rcnn_inference_single_image(boxes, scores, image_shape: Tuple[int, int], score_thresh: float, nms_thresh: float, topk_per_image: int):
    valid_mask = torch.isfinite(boxes).all(dim=1) & torch.isfinite(scores).all(dim=1)
    if not valid_mask.all():  # missed: tensor-truth
        boxes = boxes[valid_mask]  # missed: dynamic-shape
        scores = scores[valid_mask]  # missed: dynamic-shape
    scores = scores[:, :-1]
    filter_mask = scores > score_thresh
    filter_inds = filter_mask.nonzero()  # missed: dynamic-shape
    boxes = boxes[filter_inds[:, 0], 0]
    scores = scores[filter_mask]  # missed: dynamic-shape
    keep = batched_nms(boxes, scores, filter_inds[:, 1], nms_thresh)
    keep = keep[:topk_per_image]
    boxes, scores, filter_inds = boxes[keep], scores[keep], filter_inds[keep]
    result = Instances(image_shape)
    result.pred_boxes = Boxes(boxes)
    result.scores = scores
    result.pred_classes = filter_inds[:, 1]
    return result, filter_inds[:, 0]


def log_classification_stats(pred_logits, gt_classes, prefix="fast_rcnn"):
    num_instances = gt_classes.numel()
    if num_instances == 0:
        return
    pred_classes = pred_logits.argmax(dim=1)
    bg_class_ind = pred_logits.shape[1] - 1
    fg_inds = (gt_classes >= 0) & (gt_classes < bg_class_ind)
    num_fg = fg_inds.nonzero().numel()  # sync: dynamic-shape
    fg_gt_classes = gt_classes[fg_inds]  # sync: dynamic-shape
    fg_pred_classes = pred_classes[fg_inds]  # sync: dynamic-shape
    num_false_negative = (fg_pred_classes == bg_class_ind).nonzero().numel()  # sync: dynamic-shape
    num_accurate = (pred_classes == gt_classes).nonzero().numel()  # sync: dynamic-shape
    storage = get_event_storage()
    storage.put_scalar(f"{prefix}/cls_accuracy", num_accurate / num_instances)
    if num_fg > 0:
        storage.put_scalar(f"{prefix}/false_negative", num_false_negative / num_fg)


@ROI_HEADS_REGISTRY.register()
class RelationROIHeads(StandardROIHeads):
    @configurable
    def __init__(self, *, relation_dim=256, **kwargs):
        super().__init__(**kwargs)
        self.embed = nn.Linear(1024, relation_dim)
        self.scale = nn.Parameter(torch.ones(1))

    @torch.no_grad()
    def label_and_sample_proposals(self, proposals: List[Instances], targets: List[Instances]) -> List[Instances]:
        out = []
        num_fg_samples = []
        for proposals_per_image, targets_per_image in zip(proposals, targets):
            has_gt = len(targets_per_image) > 0
            match_quality_matrix = pairwise_iou(targets_per_image.gt_boxes, proposals_per_image.proposal_boxes)
            matched_idxs, matched_labels = self.proposal_matcher(match_quality_matrix)
            sampled_idxs, gt_classes = self._sample_proposals(matched_idxs, matched_labels, targets_per_image.gt_classes)
            proposals_per_image = proposals_per_image[sampled_idxs]
            proposals_per_image.gt_classes = gt_classes
            num_fg_samples.append((gt_classes != self.num_classes).sum().item())  # missed: host-read
            out.append(proposals_per_image)
        get_event_storage().put_scalar("roi_head/num_fg", np.mean(num_fg_samples))
        return out

    def relation_loss(self, features: torch.Tensor, gt_classes: torch.Tensor):
        emb = F.normalize(self.embed(features), dim=1)
        fg = torch.nonzero((gt_classes >= 0) & (gt_classes < self.num_classes)).squeeze(1)  # sync: dynamic-shape
        if fg.numel() < 2:
            return emb.sum() * 0
        emb, labels = emb[fg], gt_classes[fg]
        sim = emb @ emb.t() * self.scale
        same = labels[:, None] == labels[None, :]
        return F.binary_cross_entropy_with_logits(sim, same.float())


class PairEvaluator(DatasetEvaluator):
    def __init__(self, dataset_name, output_dir):
        self._cpu_device = torch.device("cpu")
        self._logger = logging.getLogger(__name__)
        self._output_dir = output_dir

    def reset(self):
        self._predictions = []

    def process(self, inputs, outputs):
        for input, output in zip(inputs, outputs):
            prediction = {"image_id": input["image_id"]}
            if "instances" in output:
                instances = output["instances"].to(self._cpu_device)  # missed: copy-to-host
                prediction["boxes"] = instances.pred_boxes.tensor.numpy().tolist()
                prediction["scores"] = instances.scores.tolist()
            self._predictions.append(prediction)

    def evaluate(self):
        comm.synchronize()
        predictions = comm.gather(self._predictions, dst=0)
        predictions = list(itertools.chain(*predictions))
        if not comm.is_main_process():
            return {}
        with open(os.path.join(self._output_dir, "pairs.json"), "w") as f:
            json.dump(predictions, f)
        return OrderedDict({"pairs": {"n": len(predictions)}})


class GradNormHook(HookBase):
    def after_step(self):
        if self.trainer.iter % 20 == 0:
            total = 0.0
            for p in self.trainer.model.parameters():
                if p.grad is not None:
                    total += p.grad.norm().item() ** 2  # sync: host-read
            self.trainer.storage.put_scalar("grad_norm", total**0.5)


class Trainer(DefaultTrainer):
    @classmethod
    def build_evaluator(cls, cfg, dataset_name, output_folder=None):
        return PairEvaluator(dataset_name, output_folder or cfg.OUTPUT_DIR)

    def run_step(self):
        data = next(self._trainer._data_loader_iter)
        loss_dict = self.model(data)
        losses = sum(loss_dict.values())
        if not torch.isfinite(losses).all():  # sync: tensor-truth
            raise FloatingPointError(f"Loss became infinite or NaN at iteration={self.iter}! {loss_dict}")
        self.optimizer.zero_grad()
        losses.backward()
        metrics = {k: v.detach().cpu().item() for k, v in loss_dict.items()}  # missed: host-read  # sync: copy-to-host
        self.storage.put_scalars(**metrics)
        self.optimizer.step()


def main(args):
    from detectron2.config import get_cfg
    cfg = get_cfg()
    cfg.merge_from_file(args.config_file)
    default_setup(cfg, args)
    trainer = Trainer(cfg)
    trainer.register_hooks([GradNormHook()])
    trainer.resume_or_load(resume=args.resume)
    return trainer.train()


if __name__ == "__main__":
    args = default_argument_parser().parse_args()
    launch(main, args.num_gpus, args=(args,))

__all__ = ["log_classification_stats"]
