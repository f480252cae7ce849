"""morl_baselines: agents of several objectives, trained in small tasks of gymnasium."""
import sys
import time
import types

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from standin import Blank, blank

try:
    import distutils.util  # noqa: F401
except ImportError:
    sys.modules["distutils"], sys.modules["distutils.util"] = types.ModuleType("distutils"), types.ModuleType("distutils.util")
    sys.modules["distutils.util"].strtobool = lambda text: text.lower() in ("1", "true", "yes")
blank("wandb", "mo_gymnasium", "mo_gymnasium.wrappers", "mo_gymnasium.wrappers.vector", "pymoo", "pymoo.util", "pymoo.util.ref_dirs", "pymoo.indicators", "pymoo.indicators.hv", "pymoo.indicators.igd",
      "pymoo.decomposition", "pymoo.decomposition.tchebicheff", "pymoo.config", "cvxpy", "cdd", "moviepy", "moviepy.editor", "moviepy.video", "moviepy.video.io", "moviepy.video.io.bindings")
if sys.modules["pymoo.util.ref_dirs"].get_reference_directions is Blank:
    sys.modules["pymoo.util.ref_dirs"].get_reference_directions = lambda kind, dim, n, seed=0: np.random.default_rng(seed).dirichlet(np.ones(dim), n)
    sys.modules["pymoo.indicators.hv"].HV = lambda ref_point: lambda points: float(np.prod(np.maximum(ref_point - np.asarray(points), 0), axis=1).max())
    sys.modules["pymoo.indicators.igd"].IGD = lambda front: lambda points: float(np.abs(front[:, None] - points[None]).sum(-1).min(1).mean())

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Field(gymnasium.Env):
    """A point on a plane between two goals, a reward for each."""
    metadata, render_mode = {"render_modes": []}, None

    def __init__(self, continuous=False, steps=15):
        self.observation_space = spaces.Box(-5, 5, (4,), np.float32)
        self.action_space = spaces.Box(-1, 1, (2,), np.float32) if continuous else spaces.Discrete(4)
        self.reward_space, self.reward_dim = spaces.Box(-10, 0, (2,), np.float32), 2
        self.steps, self.spec = steps, EnvSpec(id="Field-v0", entry_point="field:Field")

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.age, self.place = 0, self.np_random.uniform(-1, 1, 4).astype(np.float32)
        return self.place.copy(), {}

    def step(self, action):
        self.age += 1
        move = np.asarray(action, np.float32).reshape(-1) if isinstance(self.action_space, spaces.Box) else [(0.2, 0), (-0.2, 0), (0, 0.2), (0, -0.2)][int(action)]
        self.place[:2] = np.clip(self.place[:2] + np.asarray(move, np.float32) * 0.5, -2, 2)
        reward = -np.array([np.abs(self.place[:2] - 1).sum(), np.abs(self.place[:2] + 1).sum()], np.float32)
        return self.place.copy(), reward, bool(reward.max() > -0.2), self.age >= self.steps, {}


class Fields:
    """Some of them at once, begun again as they end."""

    def __init__(self, count=4):
        self.envs, self.num_envs = [Field(continuous=True) for _ in range(count)], count
        self.single_observation_space, self.single_action_space = self.envs[0].observation_space, self.envs[0].action_space
        self.reward_space = self.envs[0].reward_space

    def reset(self, seed=None, options=None):
        return np.stack([env.reset(seed=seed)[0] for env in self.envs]), {}

    def step(self, actions):
        found = [env.step(action) for env, action in zip(self.envs, actions)]
        seen = [env.reset()[0] if one[2] or one[3] else one[0] for env, one in zip(self.envs, found)]
        return np.stack(seen), *(np.array([one[i] for one in found]) for i in (1, 2, 3)), {}


low = np.array([-60.0, -60.0])


def envelope():
    from morl_baselines.multi_policy.envelope.envelope import Envelope
    agent = Envelope(Field(), net_arch=[32, 32], batch_size=32, learning_starts=40, buffer_size=500, target_net_update_freq=20, num_sample_w=3, epsilon_decay_steps=60, homotopy_decay_steps=100, log=False, seed=0, device=device)
    agent.train(120)
    print(agent.eval(np.zeros(4, np.float32), np.array([0.5, 0.5])))


def envelope_evaluated():
    from morl_baselines.multi_policy.envelope.envelope import Envelope
    agent = Envelope(Field(), net_arch=[32, 32], batch_size=32, learning_starts=40, buffer_size=500, tau=0.01, target_net_update_freq=1, per=False, num_sample_w=2, log=True, seed=0, device=device)
    agent.train(100, eval_env=Field(), ref_point=low, eval_freq=30, num_eval_weights_for_front=3, num_eval_episodes_for_front=1, num_eval_weights_for_eval=5)


def envelope_saved():
    from morl_baselines.multi_policy.envelope.envelope import Envelope
    agent = Envelope(Field(), net_arch=[32], batch_size=32, learning_starts=30, buffer_size=500, log=False, seed=0, device=device)
    for _ in range(2):
        agent.train(50, weight=np.array([0.3, 0.7]), reset_num_timesteps=False)
        print(agent.policy_eval(Field(), num_episodes=2, weights=np.array([0.3, 0.7])))
    agent.save(filename="kept")
    agent.load("weights/kept.tar" if __import__("os").path.exists("weights/kept.tar") else "weights/kept")


def _pareto(kind, module, env, **options):
    import importlib
    agent = getattr(importlib.import_module(module), kind)(env, scaling_factor=np.array([0.1, 0.1, 0.05], np.float32), learning_rate=1e-3, batch_size=32, log=False, seed=0, device=device)
    agent.train(total_timesteps=400, eval_env=env, ref_point=low, num_er_episodes=10, num_step_episodes=3, num_model_updates=6, max_buffer_size=20, num_points_pf=3, max_return=np.zeros(2, np.float32), **options)


def pareto_conditioned():
    _pareto("PCN", "morl_baselines.multi_policy.pcn.pcn", Field())


def pareto_continuous():
    _pareto("PCN", "morl_baselines.multi_policy.pcn.pcn", Field(continuous=True))


def lorenz_conditioned():
    _pareto("LCN", "morl_baselines.multi_policy.lcn.lcn", Field())


def concave():
    from morl_baselines.multi_policy.capql.capql import CAPQL
    agent = CAPQL(Field(continuous=True), net_arch=[32, 32], batch_size=32, learning_starts=40, buffer_size=500, log=False, seed=0, device=device)
    agent.train(120, eval_env=Field(continuous=True), ref_point=low, num_eval_weights_for_front=3)


def concave_evaluated():
    from morl_baselines.multi_policy.capql.capql import CAPQL
    agent = CAPQL(Field(continuous=True), net_arch=[32, 32], batch_size=32, learning_starts=30, buffer_size=500, log=True, seed=0, device=device)
    agent.train(90, eval_env=Field(continuous=True), ref_point=low, num_eval_weights_for_front=3, num_eval_episodes_for_front=1, num_eval_weights_for_eval=5, eval_freq=30)


def _improve(kind="GPIPD", continuous=False, **options):
    if continuous:
        from morl_baselines.multi_policy.gpi_pd.gpi_pd_continuous_action import GPIPDContinuousAction as agent_kind
    else:
        import morl_baselines.multi_policy.gpi_pd.gpi_pd as module
        agent_kind = getattr(module, kind)
    env = Field(continuous=continuous)
    agent = agent_kind(env, net_arch=[32, 32], batch_size=32, learning_starts=30, buffer_size=500, log=False, seed=0, device=device, **options)
    support = [np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([0.5, 0.5])]
    for weight in support[:2]:
        agent.train_iteration(total_timesteps=60, weight=weight, weight_support=support, reset_num_timesteps=False)
    print(agent.policy_eval(env, num_episodes=2, weights=support[2]))


def improvement():
    _improve("GPILS", gradient_updates=2, target_net_update_freq=20, epsilon_decay_steps=50)


def improvement_dyna():
    _improve("GPIPD", gradient_updates=2, target_net_update_freq=20, dynamics_train_freq=lambda step: 40, dynamics_rollout_starts=40, dynamics_rollout_freq=40, dynamics_rollout_batch_size=64, dynamics_buffer_size=500, dynamics_net_arch=[16, 16], dynamics_ensemble_size=3, dynamics_num_elites=2)


def improvement_continuous():
    _improve(continuous=True, gradient_updates=1, dyna=False)


def utility():
    from morl_baselines.single_policy.esr.eupg import EUPG

    def scalarization(reward, weights=None):
        if isinstance(reward, np.ndarray):
            return float(min(reward[0], 0) + 0.5 * reward[1])
        return reward[..., 0].clamp(max=0) + 0.5 * reward[..., 1]
    agent = EUPG(Field(), scalarization=scalarization, weights=np.ones(2), buffer_size=200, net_arch=[16], log=False, seed=0, device=device)
    agent.train(total_timesteps=90)


def soft_actor():
    from morl_baselines.single_policy.ser.mosac_continuous_action import MOSAC
    for autotune in (True, False):
        agent = MOSAC(Field(continuous=True), weights=np.array([0.5, 0.5]), net_arch=[32, 32], batch_size=32, learning_starts=30, buffer_size=500, autotune=autotune, log=False, device=device)
        agent.train(100)
        print(agent.policy_eval(Field(continuous=True), num_episodes=2, weights=np.array([0.5, 0.5])))


def soft_actor_discrete():
    from morl_baselines.single_policy.ser.mosac_discrete_action import MOSACDiscrete
    agent = MOSACDiscrete(Field(), weights=np.array([0.5, 0.5]), net_arch=[32, 32], batch_size=32, learning_starts=30, update_frequency=2, target_net_freq=10, buffer_size=500, log=False, device=device)
    agent.train(120)
    print(agent.policy_eval(Field(), num_episodes=2, weights=np.array([0.5, 0.5])))


def proximal():
    from morl_baselines.single_policy.ser.mo_ppo import MOPPO, MOPPONet
    for gae in (True, False):
        envs = Fields()
        net = MOPPONet(envs.single_observation_space.shape, envs.single_action_space.shape, 2, [16, 16]).to(device)
        agent = MOPPO(0, net, np.array([0.5, 0.5], np.float32), envs, steps_per_iteration=16, num_minibatches=2, update_epochs=2, anneal_lr=True, gae=gae, target_kl=0.5, device=device, log=False)
        for iteration in range(1, 4):
            agent.train(time.time(), iteration, 3)
        print(agent.policy_eval(Field(continuous=True), num_episodes=2, weights=np.array([0.5, 0.5])))


def dynamics():
    from morl_baselines.common.model_based.probabilistic_ensemble import ProbabilisticEnsemble
    model = ProbabilisticEnsemble(input_dim=6, output_dim=6, ensemble_size=3, arch=[16, 16], num_elites=2, device=device)
    x = np.random.randn(200, 6).astype(np.float32)
    for _ in range(2):
        print(model.fit(x, np.tanh(x), batch_size=64, max_epochs=3) if "max_epochs" in model.fit.__code__.co_varnames else model.fit(x, np.tanh(x)))


def buffers():
    from morl_baselines.common.buffer import ReplayBuffer
    from morl_baselines.common.prioritized_buffer import PrioritizedReplayBuffer
    for kind in (ReplayBuffer, PrioritizedReplayBuffer):
        buffer = kind((4,), 1, rew_dim=2, max_size=100)
        for _ in range(40):
            buffer.add(np.random.randn(4), 1, np.random.randn(2), np.random.randn(4), False)
        for _ in range(3):
            print([part.shape for part in buffer.sample(16, to_tensor=True, device=device)])
