"""A head, an assigner and a hook for mmdet 3: configs build them by name."""
from typing import Dict, List, Optional, Tuple, Union

import torch
import torch.nn as nn
import torch.nn.functional as F
from mmcv.cnn import ConvModule
from mmcv.ops import batched_nms
from mmdet.models.dense_heads.base_dense_head import BaseDenseHead
from mmdet.models.task_modules.assigners import AssignResult, BaseAssigner
from mmdet.models.utils import multi_apply, unmap
from mmdet.registry import HOOKS, MODELS, TASK_UTILS
from mmdet.structures import DetDataSample
from mmdet.utils import ConfigType, InstanceList, OptInstanceList, reduce_mean
from mmengine.hooks import Hook
from mmengine.structures import InstanceData
from torch import Tensor


@TASK_UTILS.register_module()
class DynamicTopkAssigner(BaseAssigner):
    def __init__(self, topk: int = 10, iou_calculator: ConfigType = dict(type="BboxOverlaps2D")):
        self.topk = topk
        self.iou_calculator = TASK_UTILS.build(iou_calculator)

    def assign(self, pred_instances: InstanceData, gt_instances: InstanceData, gt_instances_ignore: Optional[InstanceData] = None, **kwargs) -> AssignResult:
        gt_bboxes = gt_instances.bboxes
        gt_labels = gt_instances.labels
        decoded_bboxes = pred_instances.bboxes
        pred_scores = pred_instances.scores
        num_gt, num_bboxes = gt_bboxes.size(0), decoded_bboxes.size(0)
        assigned_gt_inds = decoded_bboxes.new_full((num_bboxes,), 0, dtype=torch.long)
        if num_gt == 0:
            return AssignResult(num_gt, assigned_gt_inds, decoded_bboxes.new_zeros((num_bboxes,)), labels=None)
        ious = self.iou_calculator(decoded_bboxes, gt_bboxes)
        cost = -torch.log(ious + 1e-7) + F.binary_cross_entropy_with_logits(pred_scores[:, gt_labels], ious, reduction="none")
        matching_matrix = torch.zeros_like(cost, dtype=torch.uint8)
        topk_ious, _ = torch.topk(ious, min(self.topk, ious.size(0)), dim=0)
        dynamic_ks = torch.clamp(topk_ious.sum(0).int(), min=1)
        for gt_idx in range(num_gt):
            _, pos_idx = torch.topk(cost[:, gt_idx], k=dynamic_ks[gt_idx].item(), largest=False)  # sync: host-read
            matching_matrix[:, gt_idx][pos_idx] = 1  # sync: index-from-host
        prior_match_gt_mask = matching_matrix.sum(1) > 1
        if prior_match_gt_mask.sum() > 0:  # sync: tensor-truth
            cost_min, cost_argmin = torch.min(cost[prior_match_gt_mask, :], dim=1)  # sync: dynamic-shape
            matching_matrix[prior_match_gt_mask, :] *= 0  # sync: dynamic-shape
            matching_matrix[prior_match_gt_mask, cost_argmin] = 1  # sync: index-from-host
        fg_mask = matching_matrix.sum(1) > 0
        matched_gt_inds = matching_matrix[fg_mask, :].argmax(1)  # sync: dynamic-shape
        assigned_gt_inds[fg_mask] = matched_gt_inds + 1  # missed: dynamic-shape
        return AssignResult(num_gt, assigned_gt_inds, None, labels=gt_labels)


@MODELS.register_module()
class SimpleAnchorFreeHead(BaseDenseHead):
    def __init__(self, num_classes: int, in_channels: int, loss_cls: ConfigType = dict(type="FocalLoss", use_sigmoid=True),
                 loss_bbox: ConfigType = dict(type="GIoULoss"), init_cfg=None):
        super().__init__(init_cfg=init_cfg)
        self.num_classes = num_classes
        self.cls_out_channels = num_classes
        self.loss_cls = MODELS.build(loss_cls)
        self.loss_bbox = MODELS.build(loss_bbox)
        self.convs = ConvModule(in_channels, in_channels, 3, padding=1)
        self.conv_cls = nn.Conv2d(in_channels, num_classes, 3, padding=1)
        self.conv_reg = nn.Conv2d(in_channels, 4, 3, padding=1)

    def forward(self, x: Tuple[Tensor]) -> Tuple[List[Tensor], List[Tensor]]:
        return multi_apply(self.forward_single, x)

    def forward_single(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        feat = self.convs(x)
        return self.conv_cls(feat), F.relu(self.conv_reg(feat))

    def loss_by_feat(self, cls_scores: List[Tensor], bbox_preds: List[Tensor], batch_gt_instances: InstanceList, batch_img_metas: List[dict],
                     batch_gt_instances_ignore: OptInstanceList = None) -> Dict[str, Tensor]:
        num_imgs = cls_scores[0].size(0)
        flatten_cls = torch.cat([s.permute(0, 2, 3, 1).reshape(num_imgs, -1, self.cls_out_channels) for s in cls_scores], 1)
        flatten_box = torch.cat([b.permute(0, 2, 3, 1).reshape(num_imgs, -1, 4) for b in bbox_preds], 1)
        labels, targets, pos = multi_apply(self.get_targets_single, flatten_cls, flatten_box, batch_gt_instances)
        labels = torch.cat(labels)
        pos_inds = ((labels >= 0) & (labels < self.num_classes)).nonzero().reshape(-1)  # sync: dynamic-shape
        num_pos = torch.tensor(len(pos_inds), dtype=torch.float, device=cls_scores[0].device)  # sync: tensor-from-host
        num_pos = max(reduce_mean(num_pos), 1.0)  # missed: tensor-truth
        loss_cls = self.loss_cls(flatten_cls.reshape(-1, self.cls_out_channels), labels, avg_factor=num_pos)
        pos_box = flatten_box.reshape(-1, 4)[pos_inds]
        if len(pos_inds) > 0:
            loss_bbox = self.loss_bbox(pos_box, torch.cat(targets)[pos_inds], avg_factor=num_pos)
        else:
            loss_bbox = pos_box.sum()
        return dict(loss_cls=loss_cls, loss_bbox=loss_bbox)

    def get_targets_single(self, cls: Tensor, box: Tensor, gt_instances: InstanceData):
        labels = cls.new_full((cls.size(0),), self.num_classes, dtype=torch.long)
        targets = torch.zeros_like(box)
        iou = box @ gt_instances.bboxes.t()
        best, idx = iou.max(1)
        pos = best > 0.5
        labels[pos] = gt_instances.labels[idx[pos]]  # sync: dynamic-shape
        targets[pos] = gt_instances.bboxes[idx[pos]]  # sync: dynamic-shape
        return labels, targets, pos

    def _predict_by_feat_single(self, cls_score_list, bbox_pred_list, img_meta: dict, cfg, rescale: bool = False, with_nms: bool = True) -> InstanceData:
        scores = torch.cat([c.permute(1, 2, 0).reshape(-1, self.num_classes).sigmoid() for c in cls_score_list])
        boxes = torch.cat([b.permute(1, 2, 0).reshape(-1, 4) for b in bbox_pred_list])
        max_scores, labels = scores.max(1)
        keep = max_scores > cfg.score_thr
        results = InstanceData(bboxes=boxes[keep], scores=max_scores[keep], labels=labels[keep])  # missed: dynamic-shape
        if rescale:
            factor = [1 / s for s in img_meta["scale_factor"]]
            results.bboxes = results.bboxes * results.bboxes.new_tensor(factor).repeat((1, 2))  # missed: tensor-from-host
        return results


@HOOKS.register_module()
class CheckInvalidLossHook(Hook):
    def __init__(self, interval: int = 50) -> None:
        self.interval = interval

    def after_train_iter(self, runner, batch_idx: int, data_batch: Optional[dict] = None, outputs: Optional[dict] = None) -> None:
        if self.every_n_train_iters(runner, self.interval):
            assert torch.isfinite(outputs["loss"]), runner.logger.info("loss become infinite or NaN!")  # sync: tensor-truth
