"""torchani: potentials trained on energies and forces, molecules moved and analysed."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
numbers = torch.tensor([[6, 1, 1, 1, 1], [8, 1, 1, -1, -1], [7, 1, 1, 1, -1], [6, 8, 8, -1, -1]])
shape = torch.tensor([[0.0, 0.0, 0.0], [0.63, 0.63, 0.63], [-0.63, -0.63, 0.63], [-0.63, 0.63, -0.63], [0.63, -0.63, -0.63]])


def _model(**options):
    from torchani.arch import simple_ani
    return simple_ani(symbols=("H", "C", "N", "O"), lot="wb97x-631gd", radial_shifts=4, angular_shifts=2, sections=2, **options).to(device)


def _batch(n=8):
    species = numbers[torch.arange(n) % 4].to(device)
    coordinates = (1.6 * shape.expand(n, 5, 3) + 0.05 * torch.randn(n, 5, 3)).to(device)
    return species, coordinates.where((species >= 0).unsqueeze(-1), torch.zeros((), device=device))


def energies():
    model = _model()
    optimizer, mse = torch.optim.AdamW(model.parameters(), lr=1e-4), torch.nn.MSELoss(reduction="none")
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
    for epoch in range(3):
        model.train()
        for _ in range(4):
            species, coordinates = _batch()
            atoms = (species >= 0).sum(dim=1, dtype=coordinates.dtype)
            predicted = model((species, coordinates)).energies
            loss = (mse(predicted, torch.randn(8, device=device)) / atoms.sqrt()).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        total, count = 0.0, 0
        with torch.no_grad():
            for _ in range(2):
                species, coordinates = _batch()
                total += mse(model((species, coordinates)).energies, torch.randn(8, device=device)).sum().item()
                count += species.shape[0]
        scheduler.step(total / count)
        print(epoch, total / count)


def forces():
    model = _model(ensemble_size=2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for step in range(4):
        species, coordinates = _batch()
        coordinates.requires_grad_(True)
        predicted = model((species, coordinates)).energies
        force = -torch.autograd.grad(predicted.sum(), coordinates, create_graph=True, retain_graph=True)[0]
        loss = predicted.pow(2).mean() + 0.1 * force.pow(2).sum(dim=(1, 2)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, loss.item())


def gradients():
    from torchani.grad import energies_and_forces, energies_forces_and_hessians, vibrational_analysis
    from torchani.utils import AtomicNumbersToMasses
    model, masses = _model(), AtomicNumbersToMasses().to(device)
    for _ in range(3):
        species, coordinates = _batch(4)
        energies_and_forces(model, species, coordinates)
        found = energies_forces_and_hessians(model, species[:1], coordinates[:1])
        print(vibrational_analysis(masses(species[:1]), found.hessians).freqs[-3:])


def single_points():
    from torchani.grad import single_point
    model = _model(ensemble_size=2)
    for _ in range(2):
        species, coordinates = _batch(4)
        for options in (dict(forces=True), dict(forces=True, atomic_energies=True), dict(ensemble_values=True), dict(hessians=True)):
            try:
                print(list(single_point(model, species, coordinates, **options)))
            except Exception as error:
                print(options, type(error).__name__, error)


def ensembles():
    model = _model(ensemble_size=3)
    for _ in range(2):
        pair = _batch(4)
        for work in (model.energies_qbcs, model.atomic_energies, model.atomic_stdev, model.members_forces, model.force_qbc, model.force_magnitudes):
            try:
                work(pair)
            except Exception as error:
                print(work.__name__, type(error).__name__, error)
        model.set_active_members([0, 2])
        model(pair)
        model.set_active_members([0, 1, 2])


def terms():
    for options in (dict(repulsion=True, dispersion=True), dict(container="ANISharedNetworks"), dict(container="SingleNN"), dict(cutoff_fn="cosine", activation="celu", bias=True), dict(repulsion=False)):
        try:
            model = _model(**options)
            for _ in range(2):
                model(_batch())
        except Exception as error:
            print(options, type(error).__name__, error)


def charges():
    from torchani.arch import simple_aniq
    for options in (dict(), dict(merge_charge_networks=True)):
        try:
            model = simple_aniq(symbols=("H", "C", "N", "O"), lot="wb97x-631gd", radial_shifts=4, angular_shifts=2, sections=2, **options).to(device)
            for _ in range(3):
                out = model(_batch())
                print(out.energies.mean().item(), out.atomic_charges.abs().max().item())
        except Exception as error:
            print(options, type(error).__name__, error)


def neighbours():
    from torchani.neighbors import AdaptiveList, AllPairs, CellList, FastCellList, VerletCellList
    cell, pbc = torch.eye(3, device=device) * 20.0, torch.tensor([True, True, True], device=device)
    species = torch.randint(0, 4, (1, 60), device=device)
    for make in (AllPairs, CellList, AdaptiveList, FastCellList, VerletCellList):
        try:
            finder = make().to(device)
            for _ in range(3):
                coordinates = torch.rand(1, 60, 3, device=device) * 20.0
                print(make.__name__, finder(5.2, species, coordinates, cell, pbc).indices.shape)
                finder(5.2, species, coordinates)
        except Exception as error:
            print(make.__name__, type(error).__name__, error)


def boxes():
    for kind in ("all_pairs", "cell_list"):
        model = _model(neighborlist=kind)
        species = torch.tensor([6, 1, 7, 8], device=device)[torch.randint(0, 4, (1, 40), device=device)]
        cell, pbc = torch.eye(3, device=device) * 12.0, torch.tensor([True, True, True], device=device)
        coordinates, speed = torch.rand(1, 40, 3, device=device) * 12.0, torch.zeros(1, 40, 3, device=device)
        for step in range(3):
            coordinates = coordinates.detach().requires_grad_(True)
            energy = model((species, coordinates), cell=cell, pbc=pbc).energies
            speed = speed - 1e-4 * torch.autograd.grad(energy.sum(), coordinates)[0]
            coordinates = coordinates + speed
            print(kind, step, energy.item())


def features():
    from torchani.aev import AEVComputer
    from torchani.nn import SpeciesConverter
    converter = SpeciesConverter(["H", "C", "N", "O"]).to(device)
    for make in (AEVComputer.like_1x, AEVComputer.like_2x):
        for strategy in ("pyaev", "auto"):
            try:
                computer = make(num_species=4, strategy=strategy).to(device)
                for _ in range(3):
                    species, coordinates = _batch()
                    print(computer(converter(species), coordinates).shape)
            except Exception as error:
                print(strategy, type(error).__name__, error)


def conversions():
    from torchani.transforms import AtomicNumbersToIndices, Compose, SubtractRepulsionXTB, SubtractSAE
    from torchani.utils import AtomicNumbersToChemicalSymbols, pad_atomic_properties, strip_redundant_padding
    steps = Compose([AtomicNumbersToIndices(("H", "C", "N", "O")), SubtractSAE(("H", "C", "N", "O"), [-0.5, -37.8, -54.5, -75.0]), SubtractRepulsionXTB(("H", "C", "N", "O"))]).to(device)
    for _ in range(3):
        species, coordinates = _batch()
        try:
            steps({"species": species, "coordinates": coordinates, "energies": torch.randn(8, device=device)})
        except Exception as error:
            print(type(error).__name__, error)
        padded = pad_atomic_properties([{"species": species[:, :3], "coordinates": coordinates[:, :3]}, {"species": species, "coordinates": coordinates}])
        strip_redundant_padding(padded)
        AtomicNumbersToChemicalSymbols()(species[0])
