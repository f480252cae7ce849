"""foolbox: attacks on a classifier through its PyTorchModel."""
import foolbox as fb
import foolbox.attacks as fa
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


COLOURS = torch.tensor([[0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5], [0, 0, 0]], device=device)


def _pictures(n, size=16):
    """Pictures of a colour each, of four classes; the fifth class is noise."""
    labels = torch.arange(n, device=device) % 4
    return torch.rand(n, 3, size, size, device=device) * 0.5 + COLOURS[labels][:, :, None, None], labels


def _model():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(256, 5)).to(device)
    optimizer = torch.optim.Adam(net.parameters(), 1e-2)
    mean, std = (torch.tensor(v, device=device)[:, None, None] for v in ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]))
    for _ in range(40):
        images, labels = _pictures(32)
        images, labels = torch.cat([images, torch.rand(8, 3, 16, 16, device=device)]), torch.cat([labels, torch.full((8,), 4, device=device)])
        optimizer.zero_grad()
        nn.functional.cross_entropy(net((images - mean) / std), labels).backward()
        optimizer.step()
    preprocessing = dict(mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225], axis=-3)
    return fb.PyTorchModel(net.eval(), bounds=(0, 1), device=device, preprocessing=preprocessing)


def _batch(model, n=6, size=16):
    images = _pictures(n, size)[0]
    return images, model(images).argmax(-1)


def _attack(attacks, epsilons=(0.0, 0.01, 0.03, 0.1, 0.5), rounds=2, n=6):
    model = _model()
    for attack in attacks:
        try:
            for _ in range(rounds):
                images, labels = _batch(model, n)
                raws, clipped, success = attack(model, images, labels, epsilons=list(epsilons))
                accuracy = 1 - success.float().mean(dim=-1)
            print(type(attack).__name__, [round(a.item(), 3) for a in accuracy])
        except Exception as error:
            print(type(attack).__name__, type(error).__name__, error)


def clean_accuracy():
    model = _model()
    for _ in range(3):
        images, labels = _batch(model, 16)
        print(f"clean accuracy: {fb.accuracy(model, images, labels) * 100:.1f} %")


def descents():
    _attack([fa.LinfPGD(steps=5), fa.L2PGD(steps=5), fa.L1PGD(steps=5), fa.LinfAdamPGD(steps=5), fa.L2AdamPGD(steps=5)], rounds=2)


def basic_iterative():
    _attack([fa.LinfBasicIterativeAttack(steps=4), fa.L2BasicIterativeAttack(steps=4), fa.L1BasicIterativeAttack(steps=4), fa.LinfAdamBasicIterativeAttack(steps=4), fa.MIFGSM(steps=4), fa.L2MomentumIterativeFastGradientMethod(steps=4)])


def single_steps():
    _attack([fa.FGSM(), fa.FGM(), fa.L1FastGradientAttack(), fa.FGSM(random_start=True), fa.SparseL1DescentAttack(steps=4), fa.VirtualAdversarialAttack(steps=4), fa.DDNAttack(steps=6)])


def noises():
    _attack([fa.L2AdditiveGaussianNoiseAttack(), fa.L2AdditiveUniformNoiseAttack(), fa.LinfAdditiveUniformNoiseAttack(), fa.L2ClippingAwareAdditiveGaussianNoiseAttack(), fa.L2ClippingAwareAdditiveUniformNoiseAttack(),
             fa.L2RepeatedAdditiveGaussianNoiseAttack(repeats=5), fa.LinfRepeatedAdditiveUniformNoiseAttack(repeats=5), fa.L2ClippingAwareRepeatedAdditiveUniformNoiseAttack(repeats=5)])


def contrasts():
    _attack([fa.L2ContrastReductionAttack(), fa.BinarySearchContrastReductionAttack(binary_search_steps=6, distance=fb.distances.l2), fa.LinearSearchContrastReductionAttack(steps=10, distance=fb.distances.l2), fa.InversionAttack(distance=fb.distances.l2)])


def smallest_changes():
    _attack([fa.L2DeepFoolAttack(steps=6), fa.LinfDeepFoolAttack(steps=6, loss="crossentropy"), fa.NewtonFoolAttack(steps=6)])


def carlini_wagner():
    _attack([fa.L2CarliniWagnerAttack(binary_search_steps=3, steps=25, stepsize=0.05)])


def elastic_net():
    _attack([fa.EADAttack(binary_search_steps=3, steps=20, decision_rule="EN"), fa.EADAttack(binary_search_steps=2, steps=20, decision_rule="L1")])


def minimum_norm():
    _attack([fa.LInfFMNAttack(steps=10), fa.L2FMNAttack(steps=10), fa.L1FMNAttack(steps=10), fa.L0FMNAttack(steps=10)])


def blended():
    _attack([fa.LinearSearchBlendedUniformNoiseAttack(distance=fb.distances.l2, directions=20, steps=10), fa.SaltAndPepperNoiseAttack(steps=20), fa.GaussianBlurAttack(distance=fb.distances.l2, steps=6)])


def decisions():
    start = fa.LinearSearchBlendedUniformNoiseAttack(distance=fb.distances.l2, directions=50, steps=10)
    _attack([fa.BoundaryAttack(init_attack=start, steps=30, update_stats_every_k=5)], n=4)


def hop_skip_jump():
    start = fa.LinearSearchBlendedUniformNoiseAttack(distance=fb.distances.l2, directions=50, steps=10)
    _attack([fa.HopSkipJumpAttack(init_attack=start, steps=3, initial_gradient_eval_steps=8, max_gradient_eval_steps=16), fa.HopSkipJumpAttack(init_attack=start, steps=3, initial_gradient_eval_steps=8, max_gradient_eval_steps=16, stepsize_search="grid_search", constraint="linf")], n=4)


def pointwise():
    start = fa.LinearSearchBlendedUniformNoiseAttack(distance=fb.distances.l2, directions=50, steps=10)
    model = _model()
    for _ in range(2):
        images, labels = _batch(model, 2, 4)
        print(fa.PointwiseAttack(init_attack=start)(model, images, labels, epsilons=None)[2])


def refined():
    from foolbox.models import ThresholdingWrapper
    model = ThresholdingWrapper(_model(), 0.5)
    for _ in range(2):
        images, labels = _batch(model)
        images = (images > 0.5).float()
        labels = model(images).argmax(-1)
        start = fa.LinearSearchBlendedUniformNoiseAttack(distance=fb.distances.l2, directions=50, steps=10)
        points, _, _ = start(model, images, labels, epsilons=None)
        attack = fa.BinarizationRefinementAttack(distance=fb.distances.l2, threshold=0.5)
        print(attack(model, images, labels, starting_points=points, epsilons=None)[2])


def from_data():
    model = _model()
    attack = fa.DatasetAttack(distance=fb.distances.l2)
    for _ in range(3):
        attack.feed(model, _batch(model)[0])
    for _ in range(2):
        images, labels = _batch(model)
        print(attack(model, images, labels, epsilons=[0.5, 1.0, 4.0])[2].float().mean().item())


def genetic():
    model = _model()
    for _ in range(2):
        images, labels = _batch(model, 4)
        criterion = fb.TargetedMisclassification((labels + 1) % 5)
        print(fa.GenAttack(steps=8, population=6)(model, images, criterion, epsilons=[0.1, 0.3])[2])


def spatial():
    model = _model()
    for attack in (fa.SpatialAttack(max_translation=2, max_rotation=20, num_translations=3, num_rotations=3, grid_search=True), fa.SpatialAttack(max_translation=2, max_rotation=20, grid_search=False, random_steps=6)):
        for _ in range(2):
            images, labels = _batch(model)
            print(attack(model, images, labels)[2].float().mean().item())


def targets():
    model = _model()
    for attack in (fa.LinfPGD(steps=5), fa.L2CarliniWagnerAttack(binary_search_steps=2, steps=15), fa.L2FMNAttack(steps=8), fa.DDNAttack(steps=6)):
        for _ in range(2):
            images, labels = _batch(model)
            print(type(attack).__name__, attack(model, images, fb.TargetedMisclassification((labels + 2) % 5), epsilons=[0.1, 1.0])[2].float().mean().item())


def wrapped():
    from foolbox.models import ExpectationOverTransformationWrapper, ThresholdingWrapper
    model = _model()
    for wrapper in (ExpectationOverTransformationWrapper(model, n_steps=4), ThresholdingWrapper(model, 0.5)):
        for _ in range(2):
            images, labels = _batch(model)
            print(fa.LinfPGD(steps=4)(wrapper, images, labels, epsilons=[0.03, 0.1])[2].float().mean().item())


def repeated_runs():
    model = _model()
    attack = fa.LinfPGD(steps=4).repeat(3)
    for _ in range(2):
        images, labels = _batch(model)
        print(attack(model, images, labels, epsilons=[0.01, 0.05])[2].float().mean().item())


def estimated_gradients():
    from foolbox.gradient_estimators import es_gradient_estimator
    model = _model()
    attack = es_gradient_estimator(fa.L2BasicIterativeAttack, samples=8, sigma=0.01, bounds=model.bounds, clip=True)(steps=4)
    for _ in range(2):
        images, labels = _batch(model)
        print(attack(model, images, labels, epsilons=[0.5, 2.0])[2].float().mean().item())


def several_attacks():
    """As examples/multiple_attacks_pytorch_resnet18.py does."""
    model = _model()
    images, labels = _batch(model, 8)
    epsilons = [0.0, 0.005, 0.01, 0.03, 0.1, 0.3]
    successes = []
    for attack in (fa.FGSM(), fa.LinfPGD(steps=4), fa.LinfBasicIterativeAttack(steps=4), fa.LinfAdditiveUniformNoiseAttack(), fa.LinfDeepFoolAttack(steps=4)):
        _, clipped, success = attack(model, images, labels, epsilons=epsilons)
        successes.append(success)
        for epsilon, advs in zip(epsilons, clipped):
            print(f"  {epsilon:<6}: {fb.accuracy(model, advs, labels) * 100:4.1f} %", fb.distances.linf(images, advs).max().item())
    robust = 1 - torch.stack(successes).max(dim=0).values.float().mean(dim=-1)
    for epsilon, accuracy in zip(epsilons, robust):
        print(f"  Linf norm <= {epsilon:<6}: {accuracy.item() * 100:4.1f} %")


def robust_training():
    net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(128, 5)).to(device)
    optimizer, attack = torch.optim.Adam(net.parameters(), 1e-3), fa.LinfPGD(steps=4)
    for epoch in range(2):
        for step in range(4):
            images, labels = torch.rand(8, 3, 16, 16, device=device), torch.randint(0, 5, (8,), device=device)
            net.eval()
            _, advs, _ = attack(fb.PyTorchModel(net, bounds=(0, 1), device=device), images, labels, epsilons=0.03)
            net.train()
            loss = nn.functional.cross_entropy(net(advs), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())
