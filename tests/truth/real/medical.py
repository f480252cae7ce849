"""monai and segmentation_models_pytorch: networks, losses, metrics, sliding windows, a trainer."""
import monai.networks.nets  # noqa: F401
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def segmentation():
    import segmentation_models_pytorch as smp
    for make in (smp.Unet, smp.FPN, smp.DeepLabV3Plus, smp.MAnet, smp.PSPNet, smp.Linknet, smp.PAN, smp.UnetPlusPlus):
        try:
            model = make("resnet18", encoder_weights=None, classes=3).to(device)
            optimizer = torch.optim.Adam(model.parameters())
            criterion = smp.losses.DiceLoss("multiclass")
            for _ in range(3):
                images, masks = torch.rand(2, 3, 64, 64, device=device), torch.randint(0, 3, (2, 64, 64), device=device)
                logits = model(images)
                loss = criterion(logits, masks)
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
                tp, fp, fn, tn = smp.metrics.get_stats(logits.argmax(1), masks, mode="multiclass", num_classes=3)
                print(loss.item(), smp.metrics.iou_score(tp, fp, fn, tn, reduction="micro").item(), smp.metrics.f1_score(tp, fp, fn, tn, reduction="macro-imagewise"))
        except Exception as error:
            print(make.__name__, type(error).__name__, error)


def segmentation_losses():
    import segmentation_models_pytorch as smp
    for make in (lambda: smp.losses.JaccardLoss("multiclass"), lambda: smp.losses.DiceLoss("multiclass", ignore_index=2), lambda: smp.losses.DiceLoss("binary"), lambda: smp.losses.TverskyLoss("multiclass"), lambda: smp.losses.FocalLoss("multiclass", ignore_index=2), lambda: smp.losses.LovaszLoss("multiclass"), lambda: smp.losses.LovaszLoss("binary"), lambda: smp.losses.SoftCrossEntropyLoss(smooth_factor=0.1), lambda: smp.losses.SoftBCEWithLogitsLoss(), lambda: smp.losses.MCCLoss(), lambda: smp.losses.FocalLoss("binary")):
        try:
            criterion = make()
            binary = getattr(criterion, "mode", "binary") == "binary" and type(criterion).__name__ != "SoftCrossEntropyLoss"
            for _ in range(3):
                logits = torch.randn(2, 1 if binary else 3, 16, 16, device=device, requires_grad=True)
                target = torch.randint(0, 2, (2, 1, 16, 16), device=device).float() if binary else torch.randint(0, 3, (2, 16, 16), device=device)
                criterion(logits, target).backward()
        except Exception as error:
            print(type(make()).__name__, type(error).__name__, error)


def unet():
    from monai.data import decollate_batch
    from monai.inferers import sliding_window_inference
    from monai.losses import DiceCELoss
    from monai.metrics import DiceMetric, HausdorffDistanceMetric, MeanIoU, SurfaceDistanceMetric, SurfaceDiceMetric
    from monai.networks.nets import UNet
    from monai.transforms import AsDiscrete, Compose, KeepLargestConnectedComponent
    model = UNet(spatial_dims=3, in_channels=1, out_channels=2, channels=(4, 8, 16), strides=(2, 2)).to(device)
    optimizer, criterion = torch.optim.Adam(model.parameters()), DiceCELoss(to_onehot_y=True, softmax=True)
    dice, iou, distance, surface, nsd = DiceMetric(include_background=False, reduction="mean"), MeanIoU(), HausdorffDistanceMetric(), SurfaceDistanceMetric(), SurfaceDiceMetric([1.0])
    after, label = Compose([AsDiscrete(argmax=True, to_onehot=2), KeepLargestConnectedComponent([1])]), AsDiscrete(to_onehot=2)
    for epoch in range(2):
        model.train()
        total = 0.0
        for _ in range(3):
            images, labels = torch.rand(2, 1, 16, 16, 16, device=device), torch.randint(0, 2, (2, 1, 16, 16, 16), device=device)
            optimizer.zero_grad()
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.step()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            for _ in range(3):
                images, labels = torch.rand(1, 1, 24, 24, 24, device=device), torch.randint(0, 2, (1, 1, 24, 24, 24), device=device)
                outputs = sliding_window_inference(images, (16, 16, 16), 4, model, overlap=0.5, mode="gaussian")
                outputs, labels = [after(o) for o in decollate_batch(outputs)], [label(o) for o in decollate_batch(labels)]
                for metric in (dice, iou, distance, surface, nsd):
                    metric(y_pred=outputs, y=labels)
        print(epoch, total, dice.aggregate().item(), iou.aggregate().item(), distance.aggregate().item(), surface.aggregate().item(), nsd.aggregate().item())
        for metric in (dice, iou, distance, surface, nsd):
            metric.reset()


def losses():
    from monai import losses as L
    for make in (lambda: L.DiceLoss(softmax=True, to_onehot_y=True), lambda: L.GeneralizedDiceLoss(softmax=True, to_onehot_y=True), lambda: L.DiceFocalLoss(softmax=True, to_onehot_y=True), lambda: L.TverskyLoss(softmax=True, to_onehot_y=True), lambda: L.FocalLoss(to_onehot_y=True, use_softmax=True), lambda: L.GeneralizedWassersteinDiceLoss(torch.ones(2, 2) - torch.eye(2)), lambda: L.AsymmetricUnifiedFocalLoss(to_onehot_y=True), lambda: L.HausdorffDTLoss(softmax=True, to_onehot_y=True), lambda: L.LogHausdorffDTLoss(softmax=True, to_onehot_y=True), lambda: L.DiceCELoss(softmax=True, to_onehot_y=True), lambda: L.NACLLoss(2, 2)):
        try:
            criterion = make().to(device)
            for _ in range(3):
                logits, labels = torch.randn(2, 2, 12, 12, device=device, requires_grad=True), torch.randint(0, 2, (2, 1, 12, 12), device=device)
                criterion(logits, labels[:, 0] if isinstance(criterion, L.NACLLoss) else labels).backward()
        except Exception as error:
            print(type(make()).__name__, type(error).__name__, error)
    for make in (lambda: L.SSIMLoss(2), lambda: L.LocalNormalizedCrossCorrelationLoss(spatial_dims=2), lambda: L.GlobalMutualInformationLoss(), lambda: L.BendingEnergyLoss(), lambda: L.DiffusionLoss(), lambda: L.ContrastiveLoss(), lambda: L.BarlowTwinsLoss(), lambda: L.JukeboxLoss(2), lambda: L.PatchAdversarialLoss()):
        try:
            criterion = make().to(device)
            for _ in range(3):
                a, b = torch.rand(2, 2, 16, 16, device=device, requires_grad=True), torch.rand(2, 2, 16, 16, device=device)
                if isinstance(criterion, (L.BendingEnergyLoss, L.DiffusionLoss)):
                    criterion(a).backward()
                elif isinstance(criterion, (L.ContrastiveLoss, L.BarlowTwinsLoss)):
                    criterion(a.flatten(1), b.flatten(1)).backward()
                elif isinstance(criterion, L.PatchAdversarialLoss):
                    criterion(a, target_is_real=True, for_discriminator=True).backward()
                else:
                    criterion(a, b).backward()
        except Exception as error:
            print(type(make()).__name__, type(error).__name__, error)


def metrics():
    from monai import metrics as M
    for metric in (M.ConfusionMatrixMetric(), M.GeneralizedDiceScore(), M.ROCAUCMetric(), M.MSEMetric(), M.PSNRMetric(1.0), M.SSIMMetric(2), M.FBetaScore(), M.PanopticQualityMetric(num_classes=2), M.CumulativeAverage(), M.AveragePrecisionMetric(), M.VarianceMetric() if hasattr(M, "VarianceMetric") else M.MAEMetric(), M.MultiScaleSSIMMetric(2, kernel_size=3) if hasattr(M, "MultiScaleSSIMMetric") else M.RMSEMetric()):
        try:
            for _ in range(3):
                name = type(metric).__name__
                if name in ("ROCAUCMetric", "AveragePrecisionMetric"):
                    metric(torch.rand(8, 1, device=device), torch.randint(0, 2, (8, 1), device=device))
                elif name == "CumulativeAverage":
                    metric.append(torch.rand(2, device=device))
                elif name == "PanopticQualityMetric":
                    metric(torch.randint(0, 2, (1, 2, 16, 16), device=device), torch.randint(0, 2, (1, 2, 16, 16), device=device))
                elif name in ("MSEMetric", "PSNRMetric", "SSIMMetric", "MultiScaleSSIMMetric"):
                    metric(torch.rand(1, 1, 64, 64, device=device), torch.rand(1, 1, 64, 64, device=device))
                else:
                    metric(torch.randint(0, 2, (1, 2, 16, 16), device=device).float(), torch.randint(0, 2, (1, 2, 16, 16), device=device).float())
                metric.aggregate()
        except Exception as error:
            print(type(metric).__name__, type(error).__name__, error)


def transforms():
    from monai import transforms as T
    for make in (lambda: T.RandFlip(1.0, 0), lambda: T.RandAffine(1.0, rotate_range=0.2, device=device), lambda: T.Rand2DElastic((4, 4), (0, 1), prob=1.0, device=device), lambda: T.RandGaussianNoise(1.0), lambda: T.RandAdjustContrast(1.0), lambda: T.RandGaussianSmooth(prob=1.0), lambda: T.NormalizeIntensity(nonzero=True), lambda: T.ScaleIntensity(), lambda: T.ScaleIntensityRangePercentiles(5, 95, 0, 1), lambda: T.CropForeground(), lambda: T.RandSpatialCrop((8, 8)), lambda: T.RandCropByPosNegLabel((8, 8), label=torch.ones(1, 16, 16, device=device)), lambda: T.Resize((8, 8)), lambda: T.Zoom(1.2), lambda: T.Rotate(0.3), lambda: T.RandHistogramShift(prob=1.0), lambda: T.RandBiasField(prob=1.0), lambda: T.RandGibbsNoise(1.0), lambda: T.RandKSpaceSpikeNoise(1.0), lambda: T.RandCoarseDropout(2, 4, prob=1.0), lambda: T.GaussianSmooth(), lambda: T.MedianSmooth(), lambda: T.SobelGradients(), lambda: T.DistanceTransformEDT(), lambda: T.FillHoles(), lambda: T.LabelToContour(), lambda: T.Spacing((1.0, 1.0)), lambda: T.RandGridDistortion(prob=1.0), lambda: T.HistogramNormalize(), lambda: T.RemoveSmallObjects(2), lambda: T.ThresholdIntensity(0.5), lambda: T.Activations(softmax=True), lambda: T.AsDiscrete(threshold=0.5), lambda: T.RandZoom(1.0), lambda: T.RandRotate(0.3, prob=1.0), lambda: T.SaltAndPepper() if hasattr(T, "SaltAndPepper") else T.RandShiftIntensity(0.1, prob=1.0)):
        try:
            transform = make()
            for _ in range(3):
                transform(torch.rand(1, 16, 16, device=device) > 0.5 if type(transform).__name__ in ("FillHoles", "LabelToContour", "RemoveSmallObjects") else torch.rand(1, 16, 16, device=device))
        except Exception as error:
            print(type(make()).__name__, type(error).__name__, error)


def networks():
    from monai.networks import nets as N
    for make, shape in ((lambda: N.BasicUNet(2, 1, 2, features=(8, 8, 8, 8, 8, 8)), (1, 1, 32, 32)), (lambda: N.UNETR(1, 2, (32, 32), feature_size=4, hidden_size=32, mlp_dim=32, num_heads=2, spatial_dims=2), (1, 1, 32, 32)), (lambda: N.SwinUNETR(1, 2, feature_size=12, spatial_dims=2, depths=(1, 1, 1, 1)), (1, 1, 64, 64)), (lambda: N.SegResNet(2, 8, 1, 2), (1, 1, 32, 32)), (lambda: N.DynUNet(2, 1, 2, [3, 3, 3], [1, 2, 2], [2, 2], deep_supervision=True, filters=[8, 8, 8]), (1, 1, 32, 32)), (lambda: N.VNet(2, 1, 2), (1, 1, 32, 32)), (lambda: N.AttentionUnet(2, 1, 2, (4, 8, 16), (2, 2)), (1, 1, 32, 32)), (lambda: N.VQVAE(2, 1, 1, channels=(8, 8), num_res_layers=1, num_res_channels=(8, 8), num_embeddings=8, embedding_dim=8, downsample_parameters=((2, 4, 1, 1), (2, 4, 1, 1)), upsample_parameters=((2, 4, 1, 1, 0), (2, 4, 1, 1, 0))), (1, 1, 32, 32)), (lambda: N.DiffusionModelUNet(2, 1, 1, channels=(8, 8), num_res_blocks=1, attention_levels=(False, True), num_head_channels=4, norm_num_groups=4), (1, 1, 16, 16)), (lambda: N.VarAutoEncoder(2, (1, 16, 16), 1, 4, (4, 8), (2, 2)), (1, 1, 16, 16)), (lambda: N.ViT(1, (16, 16), (4, 4), hidden_size=32, mlp_dim=32, num_layers=1, num_heads=2, spatial_dims=2), (1, 1, 16, 16))):
        try:
            model = make().to(device)
            optimizer = torch.optim.Adam(model.parameters())
            for _ in range(3):
                x = torch.rand(shape, device=device)
                out = model(x, timesteps=torch.randint(0, 10, (1,), device=device)) if type(model).__name__ == "DiffusionModelUNet" else model(x)
                out = out[0] if isinstance(out, (tuple, list)) else out
                out.float().mean().backward()
                optimizer.step()
                optimizer.zero_grad()
        except Exception as error:
            print(type(make()).__name__, type(error).__name__, error)


def detector():
    from monai.apps.detection.networks.retinanet_detector import RetinaNetDetector
    from monai.apps.detection.networks.retinanet_network import RetinaNet, resnet_fpn_feature_extractor
    from monai.apps.detection.utils.anchor_utils import AnchorGeneratorWithAnchorShape
    from monai.networks.nets import resnet10
    anchors = AnchorGeneratorWithAnchorShape(feature_map_scales=[1, 2], base_anchor_shapes=[[6, 8], [10, 12]])
    extractor = resnet_fpn_feature_extractor(resnet10(spatial_dims=2, n_input_channels=1, conv1_t_stride=[2, 2], conv1_t_size=[3, 3]), 2, False, [1], None)
    net = RetinaNet(spatial_dims=2, num_classes=1, num_anchors=2, feature_extractor=extractor, size_divisible=[16, 16])
    detector = RetinaNetDetector(network=net, anchor_generator=anchors).to(device)
    detector.set_atss_matcher(num_candidates=4)
    detector.set_hard_negative_sampler(batch_size_per_image=16, positive_fraction=0.5)
    detector.set_sliding_window_inferer(roi_size=[32, 32], overlap=0.25, sw_batch_size=1, mode="constant")
    optimizer = torch.optim.SGD(detector.network.parameters(), lr=1e-3)
    for _ in range(3):
        detector.train()
        images = [torch.rand(1, 64, 64, device=device) for _ in range(2)]
        targets = [{"labels": torch.tensor([0], device=device), "boxes": torch.tensor([[10.0, 10.0, 30.0, 30.0]], device=device)} for _ in range(2)]
        losses = detector(images, targets)
        loss = losses[detector.cls_key] + losses[detector.box_reg_key]
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        detector.eval()
        with torch.no_grad():
            detector(images, use_inferer=True)


def engine():
    from monai.inferers import DiffusionInferer, SimpleInferer
    from monai.networks.nets import DiffusionModelUNet
    from monai.networks.schedulers import DDIMScheduler, DDPMScheduler, PNDMScheduler
    from monai.optimizers import LearningRateFinder, Novograd, WarmupCosineSchedule
    from monai.visualize import GradCAM, OcclusionSensitivity
    model = DiffusionModelUNet(2, 1, 1, channels=(8, 8), num_res_blocks=1, attention_levels=(False, True), num_head_channels=4, norm_num_groups=4).to(device)
    optimizer = Novograd(model.parameters())
    schedule = WarmupCosineSchedule(optimizer, 2, 10)
    for kind in (DDPMScheduler, DDIMScheduler, PNDMScheduler):
        scheduler = kind(num_train_timesteps=20)
        inferer = DiffusionInferer(scheduler)
        scheduler.set_timesteps(5)
        for _ in range(3):
            x = torch.rand(2, 1, 16, 16, device=device)
            noise = torch.randn_like(x)
            predicted = inferer(inputs=x, diffusion_model=model, noise=noise, timesteps=torch.randint(0, 20, (2,), device=device).long())
            torch.nn.functional.mse_loss(predicted, noise).backward()
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            inferer.sample(input_noise=noise, diffusion_model=model, scheduler=scheduler, verbose=False)
    net = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3, padding=1), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(4), torch.nn.Flatten(), torch.nn.Linear(64, 2)).to(device)
    for _ in range(3):
        x = torch.rand(1, 1, 16, 16, device=device)
        SimpleInferer()(x, net), GradCAM(net, target_layers="0")(x), OcclusionSensitivity(net, mask_size=8)(x)
    finder = LearningRateFinder(net, torch.optim.SGD(net.parameters(), lr=1e-4), torch.nn.CrossEntropyLoss(), device=device)
    finder.range_test(torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.rand(10, 1, 16, 16), torch.randint(0, 2, (10,))), batch_size=2), num_iter=5)


if __name__ == "__main__":
    for work in (segmentation, segmentation_losses, unet, losses, metrics, transforms, networks, detector, engine):
        work()
