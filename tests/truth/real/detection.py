"""torchvision's detectors trained and asked, its other models, transforms and drawing."""
import torch
import torchvision
from torchvision.models import detection as D

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _targets(masks=False, keypoints=False):
    targets = []
    for _ in range(2):
        target = {"boxes": torch.tensor([[5.0, 5.0, 40.0, 40.0], [20.0, 20.0, 60.0, 60.0]]), "labels": torch.tensor([1, 1])}
        if masks:
            target["masks"] = torch.randint(0, 2, (2, 64, 64), dtype=torch.uint8)
        if keypoints:
            target["keypoints"] = torch.cat([torch.rand(2, 17, 2) * 30 + 10, torch.ones(2, 17, 1)], -1)
        targets.append(target)
    return targets


def _train(model, **kinds):
    model = model.to(device)
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=1e-4, momentum=0.9)
    model.train()
    for step in range(3):
        images = [torch.rand(3, 64, 64).to(device) for _ in range(2)]
        targets = [{k: v.to(device) for k, v in t.items()} for t in _targets(**kinds)]
        losses = model(images, targets)
        total = sum(losses.values())
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        print(step, {k: round(v.item(), 3) for k, v in losses.items()})
    model.eval()
    for _ in range(3):
        with torch.no_grad():
            outputs = model([torch.rand(3, 64, 64, device=device)])
        outputs = [{k: v.cpu() for k, v in t.items()} for t in outputs]


def faster_rcnn():
    _train(D.fasterrcnn_mobilenet_v3_large_320_fpn(weights=None, weights_backbone=None, num_classes=2, min_size=64, max_size=64))


def mask_rcnn():
    _train(D.maskrcnn_resnet50_fpn(weights=None, weights_backbone=None, num_classes=2, min_size=64, max_size=64, box_score_thresh=0.01), masks=True)


def keypoint_rcnn():
    _train(D.keypointrcnn_resnet50_fpn(weights=None, weights_backbone=None, num_classes=2, min_size=64, max_size=64, box_score_thresh=0.01), keypoints=True)


def retinanet():
    _train(D.retinanet_resnet50_fpn(weights=None, weights_backbone=None, num_classes=2, min_size=64, max_size=64))


def fcos():
    _train(D.fcos_resnet50_fpn(weights=None, weights_backbone=None, num_classes=2, min_size=64, max_size=64))


def ssd():
    _train(D.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=2))


def classify_and_flow():
    for name in ("mobilenet_v3_small", "swin_v2_t", "vit_b_32"):
        model = torchvision.models.get_model(name, weights=None, num_classes=4).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        for _ in range(3):
            images, labels = torch.rand(2, 3, 224, 224, device=device), torch.randint(0, 4, (2,), device=device)
            torchvision.ops.sigmoid_focal_loss(model(images), torch.nn.functional.one_hot(labels, 4).float(), reduction="mean").backward()
            optimizer.step()
            optimizer.zero_grad()
    raft = torchvision.models.optical_flow.raft_small(weights=None).to(device).eval()
    for _ in range(3):
        with torch.no_grad():
            flow = raft(torch.rand(1, 3, 128, 128, device=device), torch.rand(1, 3, 128, 128, device=device), num_flow_updates=2)[-1]
        torchvision.utils.flow_to_image(flow)


def transforms():
    from torchvision.transforms import v2
    augment = v2.Compose([v2.RandomResizedCrop(32), v2.RandomHorizontalFlip(), v2.ColorJitter(0.2, 0.2, 0.2, 0.1), v2.RandomAffine(10), v2.RandomPerspective(), v2.ElasticTransform(), v2.RandomErasing(p=1.0), v2.GaussianBlur(3), v2.ToDtype(torch.float32, scale=True), v2.Normalize([0.5] * 3, [0.5] * 3)])
    mix = v2.RandomChoice([v2.MixUp(num_classes=4), v2.CutMix(num_classes=4)])
    policies = v2.Compose([v2.RandAugment(), v2.TrivialAugmentWide(), v2.AugMix(), v2.AutoAugment()])
    for _ in range(6):
        images = torch.randint(0, 255, (4, 3, 48, 48), dtype=torch.uint8, device=device)
        mix(augment(images), torch.randint(0, 4, (4,), device=device))
        policies(images)


def drawing():
    for _ in range(3):
        image = torch.randint(0, 255, (3, 64, 64), dtype=torch.uint8, device=device)
        boxes = torch.tensor([[5.0, 5.0, 40.0, 40.0]], device=device)
        torchvision.utils.draw_bounding_boxes(image, boxes, labels=["x"], colors="red")
        torchvision.utils.draw_segmentation_masks(image, torch.rand(2, 64, 64, device=device) > 0.5)
        torchvision.utils.save_image(torch.rand(4, 3, 16, 16, device=device), "grid.png")
        torchvision.ops.masks_to_boxes(torch.ones(2, 16, 16, device=device)), torchvision.ops.remove_small_boxes(boxes, 1.0), torchvision.ops.batched_nms(boxes, torch.rand(1, device=device), torch.zeros(1, dtype=torch.long, device=device), 0.5)
        torchvision.ops.generalized_box_iou_loss(boxes, boxes + 1), torchvision.ops.roi_align(image[None].float(), [boxes], 7), torchvision.ops.drop_block2d(torch.rand(1, 3, 16, 16, device=device), 0.3, 3), torchvision.ops.stochastic_depth(torch.rand(4, 8, device=device), 0.2, "row")


if __name__ == "__main__":
    for work in (faster_rcnn, mask_rcnn, keypoint_rcnn, retinanet, fcos, ssd, classify_and_flow, transforms, drawing):
        work()
