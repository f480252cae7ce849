"""torch_sim: batched molecular dynamics, relaxation, Monte Carlo and properties, on the GPU."""
import torch
from standin import blank

blank("tables")
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
kind = torch.float64


def _lattice(times=2, side=5.26, jitter=0.05, number=18, mass=39.95):
    """A crystal of argon, as SimState."""
    import torch_sim as ts
    corner = torch.tensor([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]], dtype=kind)
    step = torch.cartesian_prod(*[torch.arange(times, dtype=kind)] * 3)
    positions = ((corner + step[:, None]).reshape(-1, 3) * side).to(device)
    positions = positions + jitter * torch.randn(positions.shape, dtype=kind, device=device)
    n = len(positions)
    return ts.SimState(positions=positions, masses=torch.full((n,), mass, dtype=kind, device=device), cell=(torch.eye(3, dtype=kind, device=device) * side * times)[None], pbc=True, atomic_numbers=torch.full((n,), number, dtype=torch.int64, device=device))


def _batch(count=3, **options):
    import torch_sim as ts
    return ts.concatenate_states([_lattice(side=5.26 + 0.05 * i, **options) for i in range(count)])


def _model(**options):
    from torch_sim.models.lennard_jones import LennardJonesModel
    return LennardJonesModel(**dict(dict(sigma=3.405, epsilon=0.0104, cutoff=7.0, device=device, dtype=kind, compute_forces=True, compute_stress=True), **options))


def _integrate(name, steps=12, model=None, **options):
    import torch_sim as ts
    final = ts.integrate(system=_batch(), model=model or _model(), integrator=ts.Integrator(name), n_steps=steps, temperature=60, timestep=0.002, **options)
    print(name, final.energy.tolist(), ts.calc_temperature(masses=final.masses, momenta=final.momenta, system_idx=final.system_idx).tolist())


def _pressure():
    return torch.tensor(0.0, dtype=kind, device=device)


def constant_energy():
    _integrate("nve")


def thermostats():
    for name in ("nvt_langevin", "nvt_nose_hoover", "nvt_vrescale"):
        try:
            _integrate(name)
        except Exception as error:
            print(name, type(error).__name__, error)


def barostats_langevin():
    for name in ("npt_langevin_isotropic", "npt_langevin_anisotropic"):
        try:
            _integrate(name, 8, external_pressure=_pressure())
        except Exception as error:
            print(name, type(error).__name__, error)


def barostat_nose_hoover():
    _integrate("npt_nose_hoover_isotropic", 8, external_pressure=_pressure())


def barostats_rescaling():
    for name in ("npt_crescale_isotropic", "npt_crescale_triclinic"):
        try:
            _integrate(name, 8, external_pressure=_pressure())
        except Exception as error:
            print(name, type(error).__name__, error)


def own_loop():
    """The steps by hand, as the low-level tutorial has them."""
    import torch_sim as ts
    from torch_sim.units import MetalUnits as Units
    model, dt, kT = _model(), torch.tensor(0.002 * Units.time, dtype=kind, device=device), torch.tensor(60 * Units.temperature, dtype=kind, device=device)
    state = ts.nvt_langevin_init(state=_batch(), model=model, kT=kT, dt=dt)
    for step in range(15):
        if step % 5 == 0:
            warm = ts.calc_kT(masses=state.masses, momenta=state.momenta, system_idx=state.system_idx) / Units.temperature
            pressure = ts.get_pressure(model(state)["stress"], ts.calc_kinetic_energy(masses=state.masses, momenta=state.momenta, system_idx=state.system_idx), torch.linalg.det(state.cell))
            print(step, warm.tolist(), pressure.tolist())
        state = ts.nvt_langevin_step(state=state, model=model, dt=dt, kT=kT)


def own_invariant():
    import torch_sim as ts
    from torch_sim.units import MetalUnits as Units
    model, dt, kT = _model(), torch.tensor(0.002 * Units.time, dtype=kind, device=device), torch.tensor(60 * Units.temperature, dtype=kind, device=device)
    state = ts.nvt_nose_hoover_init(state=_batch(), model=model, kT=kT, dt=dt)
    for step in range(10):
        state = ts.nvt_nose_hoover_step(state=state, model=model, dt=dt, kT=kT)
        if step % 4 == 0:
            print(step, ts.nvt_nose_hoover_invariant(state, kT=kT).tolist())


def reports():
    """Properties reported on the way, with no file."""
    import torch_sim as ts
    calculators = {2: {"potential_energy": lambda state: state.energy, "temperature": lambda state: ts.calc_temperature(masses=state.masses, momenta=state.momenta, system_idx=state.system_idx)}, 5: {"com": lambda state: state.positions.mean(0, keepdim=True).expand(state.n_systems, 3)}}
    reporter = ts.TrajectoryReporter(None, state_frequency=5, prop_calculators=calculators)
    final = ts.integrate(system=_batch(), model=_model(), integrator=ts.Integrator.nve, n_steps=10, temperature=60, timestep=0.002, trajectory_reporter=reporter, pbar=True)
    for _ in range(2):
        print([sorted(found) for found in reporter.report(final, 10, model=_model())])


def cooling():
    import torch_sim as ts
    ts.integrate(system=_batch(), model=_model(), integrator=ts.Integrator.nvt_langevin, n_steps=12, temperature=torch.linspace(100, 20, 12), timestep=0.002)


def _relax(name, steps=20, tol=1e-2, **options):
    import torch_sim as ts
    final = ts.optimize(system=_batch(jitter=0.1), model=_model(), optimizer=ts.Optimizer(name), max_steps=steps, **dict(dict(convergence_fn=ts.generate_force_convergence_fn(force_tol=tol, include_cell_forces=False)), **options))
    print(name, final.energy.tolist(), ts.system_wise_max_force(final).tolist())


def relax_fire():
    for flavor in ("ase_fire", "vv_fire"):
        _relax("fire", init_kwargs=dict(fire_flavor=flavor), fire_flavor=flavor)


def relax_descent():
    _relax("gradient_descent")


def relax_newton():
    for name in ("lbfgs", "bfgs"):
        try:
            _relax(name, 12)
        except Exception as error:
            print(name, type(error).__name__, error)


def relax_energy():
    import torch_sim as ts
    _relax("fire", convergence_fn=ts.generate_energy_convergence_fn(energy_tol=1e-4), pbar=True)


def relax_cells():
    import torch_sim as ts
    for cell_filter in ts.CellFilter:
        for name in ("fire", "lbfgs", "gradient_descent"):
            try:
                _relax(name, 10, init_kwargs=dict(cell_filter=cell_filter), convergence_fn=ts.generate_force_convergence_fn(force_tol=1e-2, include_cell_forces=True))
            except Exception as error:
                print(cell_filter, name, type(error).__name__, error)


def relax_loop():
    import torch_sim as ts
    model = _model()
    state = ts.fire_init(state=_batch(jitter=0.1), model=model)
    converged = ts.generate_force_convergence_fn(force_tol=5e-3, include_cell_forces=False)
    for step in range(25):
        if step % 5 == 0:
            print(step, state.energy.tolist())
        state = ts.fire_step(state=state, model=model)
        if converged(state, None).all():
            break


def in_flight():
    import torch_sim as ts
    states = _batch(6, jitter=0.1)
    batcher = ts.InFlightAutoBatcher(_model(), memory_scales_with="n_atoms", max_memory_scaler=100)
    final = ts.optimize(system=states, model=_model(), optimizer=ts.Optimizer.fire, convergence_fn=ts.generate_force_convergence_fn(force_tol=2e-2, include_cell_forces=False), max_steps=20, steps_between_swaps=4, autobatcher=batcher)
    print(final.energy.tolist())


def binned():
    import torch_sim as ts
    batcher = ts.BinningAutoBatcher(_model(), memory_scales_with="n_atoms", max_memory_scaler=70)
    final = ts.integrate(system=_batch(5), model=_model(), integrator=ts.Integrator.nve, n_steps=5, temperature=40, timestep=0.002, autobatcher=batcher)
    print(final.n_systems)


def density_scaled():
    import torch_sim as ts
    batcher = ts.BinningAutoBatcher(_model(), memory_scales_with="n_atoms_x_density", max_memory_scaler=2000.0)
    for _ in range(2):
        print(len(ts.static(system=_batch(5), model=_model(), autobatcher=batcher)))


def single_points():
    import torch_sim as ts
    for _ in range(2):
        print([float(found["potential_energy"].sum()) for found in ts.static(system=_batch(), model=_model(), pbar=True)])


def potentials():
    from torch_sim.models.morse import MorseModel
    from torch_sim.models.soft_sphere import SoftSphereModel
    for model in (_model(per_atom_energies=True, per_atom_stresses=True), MorseModel(sigma=3.8, epsilon=0.01, alpha=1.5, cutoff=7.0, device=device, dtype=kind, compute_stress=True), SoftSphereModel(sigma=4.0, epsilon=0.02, alpha=2.0, device=device, dtype=kind, compute_stress=True)):
        for _ in range(3):
            print(type(model).__name__, model(_batch())["energy"].tolist())


def particle_life():
    from torch_sim.models.particle_life import ParticleLifeModel
    model = ParticleLifeModel(sigma=4.0, epsilon=0.01, cutoff=7.0, device=device, dtype=kind)
    _integrate("nvt_langevin", 6, model)


def neighbor_lists():
    from torch_sim import neighbors
    state = _batch()
    for find in (neighbors.torch_nl_n2, neighbors.torch_nl_linked_cell):
        for _ in range(3):
            pairs, systems, shifts = find(state.positions, state.cell, state.pbc, 6.0, state.system_idx)
            print(find.__name__, pairs.shape, systems.max().item(), shifts.abs().max().item())


def swaps():
    import torch_sim as ts
    state = _batch(2)
    state.atomic_numbers[::2] = 36
    model = _model()
    state = ts.swap_mc_init(state=state, model=model)
    for step in range(8):
        state = ts.swap_mc_step(state=state, model=model, kT=0.005)
        if step % 4 == 0:
            print(step, state.energy.tolist())


def hybrid_swaps():
    import torch_sim as ts
    from torch_sim.units import MetalUnits as Units
    model, kT, dt = _model(), 60 * Units.temperature, torch.tensor(0.002 * Units.time, dtype=kind, device=device)
    state = _batch(2)
    state.atomic_numbers[::3] = 36
    moving = ts.nvt_langevin_init(state=state, model=model, kT=torch.tensor(kT, dtype=kind, device=device), dt=dt)
    swapping = ts.swap_mc_init(state=state, model=model)
    for step in range(9):
        if step % 3 == 0:
            swapping = ts.swap_mc_step(state=swapping, model=model, kT=kT)
        else:
            moving = ts.nvt_langevin_step(state=moving, model=model, dt=dt, kT=torch.tensor(kT, dtype=kind, device=device))
    print(swapping.energy.tolist(), moving.energy.tolist())


def fixed_atoms():
    import torch_sim as ts
    from torch_sim.constraints import FixAtoms, FixCom
    for constraint in (lambda: FixAtoms(atom_idx=torch.tensor([0, 1, 5], device=device)), lambda: FixCom([0, 1, 2])):
        try:
            state = _batch()
            state.constraints = [constraint()]
            final = ts.integrate(system=state, model=_model(), integrator=ts.Integrator.nvt_langevin, n_steps=6, temperature=60, timestep=0.002)
            print(final.get_number_of_degrees_of_freedom().tolist())
            ts.optimize(system=state, model=_model(), optimizer=ts.Optimizer.fire, max_steps=6)
        except Exception as error:
            print(type(error).__name__, error)


def elasticity():
    import torch_sim as ts
    from torch_sim.elastic import calculate_elastic_moduli, calculate_elastic_tensor, get_bravais_type
    state = ts.optimize(system=_lattice(jitter=0.0), model=_model(), optimizer=ts.Optimizer.fire, max_steps=10, init_kwargs=dict(cell_filter=ts.CellFilter.frechet))
    for _ in range(2):
        tensor = calculate_elastic_tensor(state=state, model=_model(), bravais_type=get_bravais_type(state), n_deform=4)
        print(calculate_elastic_moduli(tensor))


def correlations():
    import torch_sim as ts
    from torch_sim.properties.correlations import VelocityAutoCorrelation
    vacf = VelocityAutoCorrelation(window_size=6, device=device, use_running_average=True, normalize=True)
    counter = ts.CorrelationCalculator(window_size=5, properties={"velocity": lambda state: state.velocities}, device=device)
    reporter = ts.TrajectoryReporter(None, state_frequency=100, prop_calculators={1: {"vacf": vacf}, 2: {"seen": lambda state: counter.update(state) or torch.zeros(state.n_systems, device=device)}})
    ts.integrate(system=_lattice(), model=_model(), integrator=ts.Integrator.nve, n_steps=18, temperature=60, timestep=0.002, trajectory_reporter=reporter)
    print(vacf.vacf, counter.get_auto_correlations().keys())


def slices():
    import torch_sim as ts
    state = _batch(5)
    for i in range(3):
        part = state[[0, i + 1]]
        gone = state.clone().pop([i])
        again = ts.concatenate_states([part, *gone, *state.split()[3:]])
        print(again.n_systems, again.n_atoms_per_system.tolist(), again.wrap_positions.shape, again.volume.tolist())
