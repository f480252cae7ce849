"""kornia, lpips, pytorch_msssim: augmentation, geometry, features and losses as training and matching loops use them."""
import kornia
import kornia.augmentation as K
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def augmentation():
    pipeline = K.AugmentationSequential(K.ColorJitter(0.2, 0.2, 0.2, 0.2, p=0.8), K.RandomAffine(15.0, p=1.0), K.RandomPerspective(0.3, p=0.7), K.RandomHorizontalFlip(p=0.5), data_keys=["input", "mask", "bbox", "keypoints"], same_on_batch=False)
    for _ in range(4):
        images, masks = torch.rand(4, 3, 32, 32, device=device), torch.randint(0, 2, (4, 1, 32, 32), device=device).float()
        boxes = torch.tensor([[[1.0, 1.0], [9.0, 1.0], [9.0, 9.0], [1.0, 9.0]]], device=device).expand(4, 1, 4, 2)
        pipeline(images, masks, boxes, torch.rand(4, 5, 2, device=device) * 32)
        pipeline.inverse(images, masks, boxes, torch.rand(4, 5, 2, device=device) * 32)


def each_augmentation():
    for make in (lambda: K.RandomCrop((16, 16), p=1.0), lambda: K.RandomResizedCrop((16, 16), p=1.0), lambda: K.RandomErasing(p=1.0), lambda: K.RandomGaussianBlur((3, 3), (0.1, 2.0), p=0.5), lambda: K.RandomGaussianNoise(p=0.5), lambda: K.RandomMotionBlur(3, 35.0, 0.5, p=1.0),
                 lambda: K.RandomElasticTransform(p=1.0), lambda: K.RandomFisheye(torch.tensor([-0.3, 0.3]), torch.tensor([-0.3, 0.3]), torch.tensor([0.9, 1.0]), p=1.0), lambda: K.RandomThinPlateSpline(p=1.0), lambda: K.RandomSolarize(p=1.0), lambda: K.RandomPosterize(p=1.0), lambda: K.RandomSharpness(p=1.0),
                 lambda: K.RandomEqualize(p=1.0), lambda: K.RandomGrayscale(p=0.5), lambda: K.RandomChannelShuffle(p=1.0), lambda: K.RandomMixUpV2(p=1.0, data_keys=["input"]), lambda: K.RandomCutMixV2(p=1.0, data_keys=["input"]), lambda: K.RandomMosaic(p=1.0), lambda: K.RandomJigsaw(p=1.0),
                 lambda: K.RandomRain(p=1.0, drop_height=(1, 2), drop_width=(1, 2), number_of_drops=(3, 5)), lambda: K.RandomSnow(p=1.0), lambda: K.RandomSaltAndPepperNoise(p=1.0), lambda: K.RandomPlanckianJitter(p=1.0), lambda: K.RandomPlasmaShadow(p=1.0), lambda: K.RandomLinearIllumination(p=1.0), lambda: K.RandomClahe(p=1.0),
                 lambda: K.CenterCrop(16), lambda: K.PadTo((40, 40)), lambda: K.RandomRotation(30.0, p=1.0), lambda: K.RandomShear(0.2, p=1.0), lambda: K.RandomTranslate((0.1, 0.2), p=1.0), lambda: K.RandomInvert(p=1.0), lambda: K.RandomAutoContrast(p=1.0), lambda: K.RandomMedianBlur((3, 3), p=1.0), lambda: K.RandomBoxBlur((3, 3), p=1.0),
                 lambda: K.auto.RandAugment(n=2, m=10), lambda: K.auto.AutoAugment(), lambda: K.auto.TrivialAugment(), lambda: K.RandomHue((-0.1, 0.1), p=1.0), lambda: K.RandomJPEG(p=1.0)):
        try:
            augment = make().to(device)
            for _ in range(4):
                images = torch.rand(4, 3, 32, 32, device=device)
                if type(augment).__name__ in ("RandomCutMixV2", "RandomMixUpV2"):
                    augment(images)
                else:
                    augment(images)
        except Exception as error:
            print(getattr(make(), "__class__", make).__name__, type(error).__name__, error)


def geometry():
    G = kornia.geometry
    for _ in range(3):
        a, b = torch.rand(2, 20, 2, device=device) * 30, torch.rand(2, 20, 2, device=device) * 30
        h = G.find_homography_dlt(a, b, torch.ones(2, 20, device=device))
        G.warp_perspective(torch.rand(2, 3, 32, 32, device=device), torch.eye(3, device=device).repeat(2, 1, 1), (32, 32))
        G.find_fundamental(a, b, torch.ones(2, 20, device=device))
        G.transform_points(h, a)
        G.get_perspective_transform(a[:, :4], b[:, :4])
        G.rotate(torch.rand(2, 3, 16, 16, device=device), torch.tensor([10.0, 20.0], device=device))
        G.resize(torch.rand(2, 3, 16, 16, device=device), (8, 8))
        G.axis_angle_to_rotation_matrix(torch.rand(4, 3, device=device))
        G.rotation_matrix_to_quaternion(torch.eye(3, device=device).repeat(4, 1, 1))
        G.quaternion_to_rotation_matrix(torch.rand(4, 4, device=device))
        G.crop_by_boxes(torch.rand(1, 1, 8, 8, device=device), torch.tensor([[[1.0, 1.0], [4.0, 1.0], [4.0, 4.0], [1.0, 4.0]]], device=device), torch.tensor([[[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]]], device=device))
        G.boxes.Boxes.from_tensor(torch.tensor([[[1.0, 1.0, 5.0, 5.0]]], device=device), mode="xyxy").to_mask(8, 8)


def ransac():
    solver = kornia.geometry.ransac.RANSAC("homography", inl_th=2.0, max_iter=3, batch_size=64).to(device)
    for _ in range(3):
        points = torch.rand(40, 2, device=device) * 100
        solver(points, points + torch.rand(40, 2, device=device))
    registrator = kornia.geometry.transform.ImageRegistrator("similarity", num_iterations=3, pyramid_levels=2).to(device)
    registrator.register(torch.rand(1, 1, 32, 32, device=device), torch.rand(1, 1, 32, 32, device=device))


def cameras():
    G = kornia.geometry
    for _ in range(3):
        depth, k = torch.rand(1, 1, 8, 8, device=device) + 1, torch.eye(3, device=device)[None]
        G.depth.depth_to_3d(depth, k)
        G.depth.depth_to_normals(depth, k)
        camera = G.camera.PinholeCamera(torch.eye(4, device=device)[None], torch.eye(4, device=device)[None], torch.tensor([8.0], device=device), torch.tensor([8.0], device=device))
        camera.intrinsics_inverse()
        G.epipolar.essential_from_fundamental(torch.rand(1, 3, 3, device=device), k, k)
        G.epipolar.motion_from_essential(torch.rand(1, 3, 3, device=device))
        G.epipolar.triangulate_points(torch.rand(1, 3, 4, device=device), torch.rand(1, 3, 4, device=device), torch.rand(1, 6, 2, device=device), torch.rand(1, 6, 2, device=device))
        G.solvers.solve_quadratic(torch.rand(4, 3, device=device)), G.solvers.solve_cubic(torch.rand(4, 4, device=device))
        G.calibration.undistort_points(torch.rand(1, 5, 2, device=device), k, torch.rand(1, 5, device=device) * 0.01)
        G.liegroup.So3.exp(torch.rand(2, 3, device=device)).matrix()
        G.liegroup.Se3.exp(torch.rand(2, 6, device=device)).matrix()


def features():
    F = kornia.feature
    detector = F.ScaleSpaceDetector(num_features=30, mr_size=6.0).to(device)
    sift = F.SIFTFeature(num_features=30, device=device)
    hardnet = F.LAFDescriptor(F.SIFTDescriptor(32), patch_size=32).to(device)
    for _ in range(3):
        image = torch.rand(1, 1, 48, 48, device=device)
        lafs, responses = detector(image)
        descriptors = hardnet(image, lafs)[0]
        F.match_nn(descriptors, descriptors), F.match_snn(descriptors, descriptors, 0.95), F.match_mnn(descriptors, descriptors), F.match_smnn(descriptors, descriptors, 0.95)
        F.match_fginn(descriptors, descriptors, lafs, lafs), F.match_adalam(descriptors, descriptors, lafs, lafs)
        sift(image)
        F.harris_response(image), F.gftt_response(image), F.hessian_response(image), F.laf_to_boundary_points(lafs), F.get_laf_orientation(lafs)
    disk = F.DISK().to(device)
    for _ in range(3):
        with torch.no_grad():
            disk(torch.rand(1, 3, 64, 64, device=device), n=20, pad_if_not_divisible=True)


def losses():
    L = kornia.losses
    for _ in range(3):
        logits, target = torch.randn(2, 4, 16, 16, device=device, requires_grad=True), torch.randint(0, 4, (2, 16, 16), device=device)
        (L.dice_loss(logits, target) + L.focal_loss(logits, target, alpha=0.5, reduction="mean") + L.tversky_loss(logits, target, 0.5, 0.5) + L.lovasz_softmax_loss(logits, target)).backward()
        a, b = torch.rand(2, 3, 32, 32, device=device, requires_grad=True), torch.rand(2, 3, 32, 32, device=device)
        (L.ssim_loss(a, b, 5) + L.psnr_loss(a, b, 1.0).abs() + L.total_variation(a).mean() + L.MS_SSIMLoss().to(device)(a, b)).backward()
        L.HausdorffERLoss(k=2)(logits.detach(), target[:, None]), L.binary_focal_loss_with_logits(logits[:, :1], target[:, None].clamp(max=1).float(), reduction="mean")
        L.js_div_loss_2d(torch.rand(1, 1, 8, 8, device=device), torch.rand(1, 1, 8, 8, device=device)), L.inverse_depth_smoothness_loss(a[:, :1], b)
        kornia.metrics.confusion_matrix(target, target, 4), kornia.metrics.mean_iou(target, target, 4), kornia.metrics.accuracy(logits.mean((2, 3)), target[:, 0, 0]), kornia.metrics.psnr(a, b, 1.0)
        kornia.metrics.mean_average_precision([torch.tensor([[1.0, 1, 5, 5]], device=device)], [torch.tensor([1], device=device)], [torch.tensor([0.9], device=device)], [torch.tensor([[1.0, 1, 5, 5]], device=device)], [torch.tensor([1], device=device)], 2)


def filters():
    F, E = kornia.filters, kornia.enhance
    for _ in range(3):
        x = torch.rand(2, 3, 32, 32, device=device)
        F.gaussian_blur2d(x, (3, 3), (1.0, 1.0)), F.median_blur(x, (3, 3)), F.sobel(x), F.canny(x), F.bilateral_blur(x, (3, 3), 0.1, (1.5, 1.5)), F.unsharp_mask(x, (3, 3), (1.0, 1.0)), F.guided_blur(x, x, 3, 0.1), F.motion_blur(x, 3, 30.0, 0.5), F.laplacian(x, 3)
        E.equalize(x), E.equalize_clahe(x), E.adjust_hue(x, 0.1), E.adjust_gamma(x, 0.5), E.histogram(x[:, 0].flatten(1), torch.linspace(0, 1, 8, device=device), torch.tensor(0.1, device=device)), E.zca_mean(torch.rand(20, 4, device=device)), E.sharpness(x, 0.5), E.posterize(x, 3), E.solarize(x, 0.5), E.normalize(x, torch.zeros(3, device=device), torch.ones(3, device=device)), E.jpeg_codec_differentiable(x, torch.tensor([50.0, 60.0], device=device))
        kornia.color.rgb_to_lab(x), kornia.color.rgb_to_hsv(x), kornia.color.rgb_to_luv(x), kornia.color.apply_colormap((x[:, :1] * 255).round(), kornia.color.ColorMap("jet", device=device))
        kornia.morphology.dilation(x, torch.ones(3, 3, device=device)), kornia.morphology.gradient(x, torch.ones(3, 3, device=device))
        kornia.contrib.connected_components((x[:, :1] > 0.5).float(), num_iterations=5), kornia.contrib.distance_transform((x[:, :1] > 0.5).float()), kornia.contrib.extract_tensor_patches(x, 8, 8), kornia.contrib.diamond_square.diamond_square((1, 1, 16, 16), device=device)
        kornia.contrib.kmeans.KMeans(3, None, 0.1, 5).fit(torch.rand(40, 2, device=device)) if hasattr(kornia.contrib, "kmeans") else None


def perceptual():
    import lpips
    from pytorch_msssim import MS_SSIM, SSIM
    metric = lpips.LPIPS(net="alex", pretrained=False, pnet_rand=True).to(device)
    ssim, many = SSIM(data_range=1.0).to(device), MS_SSIM(data_range=1.0, win_size=5).to(device)
    image = torch.rand(2, 3, 96, 96, device=device, requires_grad=True)
    optimizer = torch.optim.Adam([image], lr=0.01)
    for step in range(4):
        target = torch.rand(2, 3, 96, 96, device=device)
        loss = metric(image, target, normalize=True).mean() + 1 - ssim(image, target) + 1 - many(image, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        image.data.clamp_(0, 1)
        print(step, loss.item())


if __name__ == "__main__":
    for work in (augmentation, each_augmentation, geometry, ransac, cameras, features, losses, filters, perceptual):
        work()
