"""facenet_pytorch, segment_anything, ultralytics: faces found, pictures segmented, detectors trained."""
import os

import numpy as np
import torch
from PIL import Image

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def faces():
    from facenet_pytorch import MTCNN, InceptionResnetV1, fixed_image_standardization  # noqa: F401
    mtcnn = MTCNN(image_size=80, device=device, keep_all=True, thresholds=[0.1, 0.1, 0.1])
    embed = InceptionResnetV1(pretrained=None, classify=False).eval().to(device)
    for _ in range(3):
        images = [Image.fromarray(np.random.randint(0, 255, (120, 120, 3), dtype=np.uint8)) for _ in range(2)]
        faces = mtcnn(images)
        boxes, probabilities = mtcnn.detect(images)
        for face in faces:
            if face is not None:
                embed(face[:2].to(device)).detach().cpu()


def segment():
    from segment_anything.modeling import ImageEncoderViT, MaskDecoder, PromptEncoder, Sam, TwoWayTransformer
    from segment_anything import SamAutomaticMaskGenerator, SamPredictor
    sam = Sam(image_encoder=ImageEncoderViT(depth=2, embed_dim=32, img_size=256, num_heads=2, out_chans=32, patch_size=16, use_rel_pos=True, global_attn_indexes=(1,), window_size=7),
              prompt_encoder=PromptEncoder(embed_dim=32, image_embedding_size=(16, 16), input_image_size=(256, 256), mask_in_chans=16),
              mask_decoder=MaskDecoder(num_multimask_outputs=3, transformer=TwoWayTransformer(depth=2, embedding_dim=32, mlp_dim=64, num_heads=2), transformer_dim=32, iou_head_depth=3, iou_head_hidden_dim=32),
              pixel_mean=[123.675, 116.28, 103.53], pixel_std=[58.395, 57.12, 57.375]).to(device).eval()
    predictor = SamPredictor(sam)
    for _ in range(3):
        image = np.random.randint(0, 255, (100, 120, 3), dtype=np.uint8)
        predictor.set_image(image)
        masks, scores, logits = predictor.predict(point_coords=np.array([[50, 50]]), point_labels=np.array([1]), multimask_output=True)
        predictor.predict(box=np.array([10, 10, 60, 60]), mask_input=logits[:1], multimask_output=False)
        with torch.no_grad():
            sam([{"image": torch.rand(3, 200, 256, device=device), "original_size": (100, 128), "boxes": torch.tensor([[10.0, 10.0, 60.0, 60.0]], device=device)}], multimask_output=True)
    generator = SamAutomaticMaskGenerator(sam, points_per_side=6, pred_iou_thresh=-10.0, stability_score_thresh=0.0, crop_n_layers=1, min_mask_region_area=10, points_per_batch=18)
    for _ in range(3):
        generator.generate(np.random.randint(0, 255, (64, 64, 3), dtype=np.uint8))


def yolo():
    os.environ["YOLO_OFFLINE"] = "true"
    for part in ("train", "val"):
        os.makedirs(f"data/images/{part}", exist_ok=True)
        os.makedirs(f"data/labels/{part}", exist_ok=True)
        for i in range(16):
            Image.fromarray(np.random.randint(0, 255, (64, 64, 3), dtype=np.uint8)).save(f"data/images/{part}/{i}.jpg")
            with open(f"data/labels/{part}/{i}.txt", "w") as file:
                file.write("0 0.5 0.5 0.4 0.4\n1 0.3 0.3 0.2 0.2\n")
    with open("data.yaml", "w") as file:
        file.write(f"path: {os.getcwd()}/data\ntrain: images/train\nval: images/val\nnames:\n  0: a\n  1: b\n")
    from ultralytics import YOLO
    model = YOLO("yolov8n.yaml")
    model.train(data="data.yaml", epochs=2, imgsz=64, batch=4, workers=0, plots=False, device=device.type if device.type == "cpu" else 0, amp=False, verbose=False, project="runs", pretrained=False)
    for _ in range(3):
        for result in model.predict(np.random.randint(0, 255, (64, 64, 3), dtype=np.uint8), imgsz=64, conf=0.001, verbose=False):
            result.boxes.xyxy.cpu().numpy()


def yolo_tasks():
    from ultralytics.nn.tasks import ClassificationModel, OBBModel, PoseModel, RTDETRDetectionModel, SegmentationModel
    from ultralytics.utils import DEFAULT_CFG
    for kind, name in ((SegmentationModel, "yolov8n-seg.yaml"), (PoseModel, "yolov8n-pose.yaml"), (OBBModel, "yolov8n-obb.yaml"), (RTDETRDetectionModel, "rtdetr-resnet50.yaml"), (ClassificationModel, "yolov8n-cls.yaml")):
        try:
            model = kind(name, nc=3, verbose=False).to(device).train()
            model.args = DEFAULT_CFG
            optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
            for _ in range(3):
                batch = {"img": torch.rand(2, 3, 64, 64, device=device), "batch_idx": torch.tensor([0.0, 0.0, 1.0], device=device), "cls": torch.tensor([[0.0], [1.0], [2.0]], device=device), "bboxes": torch.rand(3, 5 if kind is OBBModel else 4, device=device) * 0.4 + 0.2,
                         "keypoints": torch.rand(3, 17, 3, device=device), "masks": torch.randint(0, 3, (2, 16, 16), device=device).float()}
                if kind is ClassificationModel:
                    batch["cls"] = torch.tensor([0, 1], device=device)
                loss = model(batch)[0].sum()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        except Exception as error:
            print(name, type(error).__name__, error)


if __name__ == "__main__":
    for work in (faces, segment, yolo, yolo_tasks):
        work()
