"""torchattacks and piq: adversarial pictures, and how good pictures are."""
import torch
import torchattacks as ta
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _net(classes=5):
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(256, classes)).to(device).eval()


def _batch(n=6, size=16):
    return torch.rand(n, 3, size, size, device=device), torch.randint(0, 5, (n,), device=device)


def _try(makes, rounds=2, n=6, size=16):
    model = _net()
    for make in makes:
        try:
            attack = make(model)
            for _ in range(rounds):
                images, labels = _batch(n, size)
                found = attack(images, labels)
            print(type(attack).__name__, (found - images).abs().max().item())
        except Exception as error:
            print(make, type(error).__name__, error)


def attack_gradients():
    _try([lambda m: ta.FGSM(m, eps=8 / 255), lambda m: ta.BIM(m, steps=4), lambda m: ta.RFGSM(m, steps=4), lambda m: ta.PGD(m, steps=4, random_start=True), lambda m: ta.EOTPGD(m, steps=3, eot_iter=2), lambda m: ta.FFGSM(m), lambda m: ta.TPGD(m, steps=3), lambda m: ta.GN(m), lambda m: ta.VANILA(m), lambda m: ta.UPGD(m, steps=3)])


def attack_momentum():
    _try([lambda m: ta.MIFGSM(m, steps=3), lambda m: ta.DIFGSM(m, steps=3, diversity_prob=1.0), lambda m: ta.TIFGSM(m, steps=3), lambda m: ta.NIFGSM(m, steps=3), lambda m: ta.SINIFGSM(m, steps=3), lambda m: ta.VMIFGSM(m, steps=2, N=2), lambda m: ta.VNIFGSM(m, steps=2, N=2), lambda m: ta.Jitter(m, steps=3), lambda m: ta.PIFGSM(m, num_iter_set=3), lambda m: ta.PIFGSMPP(m, num_iter_set=3)])


def attack_norms():
    _try([lambda m: ta.CW(m, steps=6), lambda m: ta.PGDL2(m, steps=3), lambda m: ta.PGDRS(m, steps=2, noise_batch_size=3, batch_max=8), lambda m: ta.PGDRSL2(m, steps=2, noise_batch_size=3, batch_max=8), lambda m: ta.DeepFool(m, steps=4), lambda m: ta.EADL1(m, binary_search_steps=2, max_iterations=12), lambda m: ta.EADEN(m, binary_search_steps=2, max_iterations=12)])


def attack_few_pixels():
    _try([lambda m: ta.SparseFool(m, steps=2), lambda m: ta.JSMA(m, theta=1.0, gamma=0.02)], n=3)
    _try([lambda m: ta.OnePixel(m, pixels=1, steps=2, popsize=4), lambda m: ta.Pixle(m, restarts=2, max_iterations=3)], n=3)


def attack_searches():
    _try([lambda m: ta.APGD(m, steps=5, n_restarts=1, loss="ce"), lambda m: ta.APGD(m, norm="L2", eps=1.0, steps=5, loss="dlr"), lambda m: ta.APGDT(m, steps=5, n_classes=5), lambda m: ta.FAB(m, steps=4, n_classes=5), lambda m: ta.FAB(m, norm="L2", eps=1.0, steps=4, n_classes=5, multi_targeted=True)])


def attack_black_box():
    _try([lambda m: ta.Square(m, n_queries=12), lambda m: ta.Square(m, norm="L2", eps=1.0, n_queries=12), lambda m: ta.SPSA(m, nb_iter=2, nb_sample=8, max_batch_size=4)])


def attack_together():
    model = _net()
    attack = ta.MultiAttack([ta.FGSM(model), ta.PGD(model, steps=3)], verbose=True)
    for _ in range(2):
        attack(*_batch())


def attack_auto():
    attack = ta.AutoAttack(_net(), n_classes=5, version="rand", verbose=False)
    attack(*_batch(3))


def attack_targets():
    model = _net()
    for choose in (lambda a: a.set_mode_targeted_random(quiet=True), lambda a: a.set_mode_targeted_least_likely(kth_min=1, quiet=True), lambda a: a.set_mode_targeted_by_function(lambda images, labels: (labels + 1) % 5, quiet=True), lambda a: a.set_mode_targeted_by_label(quiet=True)):
        attack = ta.PGD(model, steps=3)
        attack.set_normalization_used([0.5, 0.5, 0.5], [0.2, 0.2, 0.2])
        choose(attack)
        for _ in range(2):
            attack(*_batch())


def attack_saving():
    model = _net()
    attack = ta.PGD(model, steps=3)
    loader = DataLoader(TensorDataset(torch.rand(24, 3, 16, 16), torch.randint(0, 5, (24,))), batch_size=6)
    print(attack.save(loader, save_path="adv.pt", return_verbose=True, save_predictions=True, save_clean_inputs=True))
    for images, labels in attack.load("adv.pt", batch_size=6):
        model(images.to(device))


def attack_training():
    model = _net().train()
    attack, optimizer = ta.PGD(model, steps=3), torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(2):
        for step in range(4):
            images, labels = _batch(8)
            loss = nn.functional.cross_entropy(model(attack(images, labels)), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


def attack_lgv():
    loader = DataLoader(TensorDataset(torch.rand(24, 3, 16, 16), torch.randint(0, 5, (24,))), batch_size=6)
    attack = ta.LGV(_net(), loader, lr=0.01, epochs=2, nb_models_epoch=2, attack_class=ta.BIM, steps=3, verbose=True)
    attack.collect_models()
    for _ in range(2):
        attack(*_batch())


def _pair(size=96, n=4):
    return torch.rand(n, 3, size, size, device=device), torch.rand(n, 3, size, size, device=device)


def quality_measures():
    import piq
    for measure in (piq.ssim, piq.psnr, piq.gmsd, piq.multi_scale_gmsd, piq.vif_p, piq.fsim, piq.vsi, piq.mdsi, piq.haarpsi, piq.srsim, piq.dss):
        try:
            for _ in range(3):
                x, y = _pair()
                print(measure.__name__, measure(x, y, data_range=1.0).item())
        except Exception as error:
            print(measure.__name__, type(error).__name__, error)


def quality_large():
    import piq
    for measure in (piq.multi_scale_ssim, piq.information_weighted_ssim):
        for _ in range(3):
            x, y = _pair(192, 2)
            print(measure(x, y, data_range=1.0).item())
    for kind in ("l1", "l2", "l2_squared"):
        for _ in range(2):
            print(piq.total_variation(_pair()[0], norm_type=kind).item())


def quality_losses():
    import piq
    for make in (piq.SSIMLoss, piq.GMSDLoss, piq.MultiScaleGMSDLoss, piq.VIFLoss, piq.FSIMLoss, piq.VSILoss, piq.MDSILoss, piq.HaarPSILoss, piq.SRSIMLoss, piq.DSSLoss, piq.TVLoss):
        try:
            picture = torch.rand(2, 3, 96, 96, device=device, requires_grad=True)
            optimizer, criterion = torch.optim.Adam([picture], lr=0.01), make().to(device)
            for _ in range(3):
                optimizer.zero_grad()
                clipped = picture.clamp(0, 1)
                loss = criterion(clipped) if make is piq.TVLoss else criterion(clipped, torch.rand(2, 3, 96, 96, device=device))
                loss.backward()
                optimizer.step()
            print(make.__name__, loss.item())
        except Exception as error:
            print(make.__name__, type(error).__name__, error)


def quality_big_losses():
    import piq
    for make in (piq.MultiScaleSSIMLoss, piq.InformationWeightedSSIMLoss):
        picture = torch.rand(1, 3, 192, 192, device=device, requires_grad=True)
        criterion = make().to(device)
        for _ in range(3):
            loss = criterion(picture.clamp(0, 1), torch.rand(1, 3, 192, 192, device=device))
            loss.backward()
        print(loss.item())


def quality_features():
    import piq
    for make in (piq.FID, piq.KID, lambda: piq.MSID(k=3, m=4, niters=4), piq.IS, piq.GS, piq.PR):
        try:
            metric = make() if make is not piq.GS else piq.GS(sample_size=16, num_iters=8, i_max=10, num_workers=0)
            for _ in range(2):
                print(type(metric).__name__, metric(torch.rand(60, 16, device=device), torch.rand(60, 16, device=device)))
        except Exception as error:
            print(make, type(error).__name__, error)


def quality_loader():
    import piq

    class First(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.AdaptiveAvgPool2d(2))

        def forward(self, x):
            return [self.net(x)]
    loader = [{"images": torch.rand(8, 3, 32, 32)} for _ in range(4)]
    metric, extractor = piq.FID(), First()
    for _ in range(2):
        first, second = metric.compute_feats(loader, extractor, device=str(device)), metric.compute_feats(loader, extractor, device=str(device))
        print(metric(first, second).item())


def quality_content():
    import piq

    class Features(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 8, 3, stride=2)

        def forward(self, x):
            return [self.a(x), self.b(self.a(x))]
    content, style = piq.ContentLoss(feature_extractor=nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU()).to(device), layers=("0", "1"), weights=[1.0, 0.5]), piq.StyleLoss(feature_extractor=nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU()).to(device), layers=("0",))
    for criterion in (content, style):
        try:
            for _ in range(3):
                x, y = _pair(32)
                print(criterion(x, y).item())
        except Exception as error:
            print(type(criterion).__name__, type(error).__name__, error)
