"""skrl: agents trained and evaluated, in gymnasium's tasks and in one on the GPU."""
import gymnasium
import numpy as np
import torch
from torch import nn

from skrl.envs.wrappers.torch import Wrapper, wrap_env
from skrl.memories.torch import RandomMemory
from skrl.models.torch import CategoricalMixin, DeterministicMixin, GaussianMixin, Model
from skrl.trainers.torch import SequentialTrainer

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Field(Wrapper):
    """A vector environment on the GPU, as simulators give it."""
    num_envs, num_agents, continuous = 8, 1, True
    observation_space, state_space = gymnasium.spaces.Box(-np.inf, np.inf, (5,), np.float32), None

    def __init__(self, continuous=True):
        class Inner:
            pass
        Inner.device = device
        super().__init__(Inner())
        self.continuous, self.age = continuous, torch.zeros(8, 1, dtype=torch.long, device=device)

    @property
    def action_space(self):
        return gymnasium.spaces.Box(-1, 1, (2,), np.float32) if self.continuous else gymnasium.spaces.Discrete(3)

    def reset(self):
        return torch.randn(8, 5, device=device), {}

    def state(self):
        return None

    def step(self, actions):
        self.age += 1
        ended = self.age >= 15
        self.age[ended] = 0
        return torch.randn(8, 5, device=device), torch.rand(8, 1, device=device), ended & (torch.rand(8, 1, device=device) > 0.5), ended, {"episode": {"reward": torch.rand(1, device=device)}}

    def render(self, *args, **kwargs):
        return None

    def close(self):
        pass


def _net(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 16), nn.ELU(), nn.Linear(16, outputs))


class Policy(GaussianMixin, Model):
    def __init__(self, env, clip_actions=False):
        Model.__init__(self, observation_space=env.observation_space, action_space=env.action_space, device=env.device)
        GaussianMixin.__init__(self, clip_actions=clip_actions, clip_log_std=True, min_log_std=-20, max_log_std=2)
        self.net, self.log_std = _net(self.num_observations, self.num_actions), nn.Parameter(torch.zeros(self.num_actions))

    def compute(self, inputs, role):
        return self.net(inputs["observations"]), {"log_std": self.log_std}


class Choice(CategoricalMixin, Model):
    def __init__(self, env):
        Model.__init__(self, observation_space=env.observation_space, action_space=env.action_space, device=env.device)
        CategoricalMixin.__init__(self, unnormalized_log_prob=True)
        self.net = _net(self.num_observations, self.num_actions)

    def compute(self, inputs, role):
        return self.net(inputs["observations"]), {}


class Value(DeterministicMixin, Model):
    def __init__(self, env, outputs=1):
        Model.__init__(self, observation_space=env.observation_space, action_space=env.action_space, device=env.device)
        DeterministicMixin.__init__(self)
        self.net = _net(self.num_observations, outputs)

    def compute(self, inputs, role):
        return self.net(inputs["observations"]), {}


class Actor(Value):
    def __init__(self, env):
        super().__init__(env, 2)

    def compute(self, inputs, role):
        return torch.tanh(self.net(inputs["observations"])), {}


class Critic(DeterministicMixin, Model):
    def __init__(self, env):
        Model.__init__(self, observation_space=env.observation_space, action_space=env.action_space, device=env.device)
        DeterministicMixin.__init__(self)
        self.net = _net(self.num_observations + self.num_actions, 1)

    def compute(self, inputs, role):
        return self.net(torch.cat([inputs["observations"], inputs["taken_actions"]], dim=1)), {}


def _agent(kind, models, env, memory=32, **options):
    from skrl.resources.preprocessors.torch import RunningStandardScaler
    config = {"experiment": {"directory": "runs", "experiment_name": kind.__name__, "write_interval": 20, "checkpoint_interval": 40}, **options}
    if config.pop("scaled", False):
        config.update(observation_preprocessor=RunningStandardScaler, observation_preprocessor_kwargs={"size": env.observation_space, "device": env.device}, value_preprocessor=RunningStandardScaler, value_preprocessor_kwargs={"size": 1, "device": env.device})
    return kind(models=models, memory=RandomMemory(memory_size=memory, num_envs=env.num_envs, device=env.device), cfg=config, observation_space=env.observation_space, state_space=None, action_space=env.action_space, device=env.device)


def _run(agent, env, steps=60, evaluate=True):
    trainer = SequentialTrainer(cfg={"timesteps": steps, "headless": True, "close_environment_at_exit": False}, env=env, agents=agent)
    trainer.train()
    if evaluate:
        trainer.eval()


def ppo():
    from skrl.agents.torch.ppo import PPO
    from skrl.resources.schedulers.torch import KLAdaptiveLR
    env = Field()
    _run(_agent(PPO, {"policy": Policy(env), "value": Value(env)}, env, 16, rollouts=16, learning_epochs=2, mini_batches=2, learning_rate_scheduler=KLAdaptiveLR, learning_rate_scheduler_kwargs={"kl_threshold": 0.008}, scaled=True, entropy_loss_scale=0.01, time_limit_bootstrap=True), env)


def ppo_discrete():
    from skrl.agents.torch.ppo import PPO
    env = Field(continuous=False)
    _run(_agent(PPO, {"policy": Choice(env), "value": Value(env)}, env, 16, rollouts=16, learning_epochs=2, mini_batches=2, kl_threshold=0.05, mixed_precision=True), env)


def ppo_gymnasium():
    from skrl.agents.torch.ppo import PPO
    env = wrap_env(gymnasium.make_vec("Pendulum-v1", num_envs=4, vectorization_mode="sync"))
    _run(_agent(PPO, {"policy": Policy(env, True), "value": Value(env)}, env, 16, rollouts=16, learning_epochs=2, mini_batches=2, scaled=True), env)


def a2c():
    from skrl.agents.torch.a2c import A2C
    env = Field()
    _run(_agent(A2C, {"policy": Policy(env), "value": Value(env)}, env, 16, rollouts=16, mini_batches=2, scaled=True), env)


def rpo_trpo():
    from skrl.agents.torch.rpo import RPO
    from skrl.agents.torch.trpo import TRPO
    env = Field()
    _run(_agent(TRPO, {"policy": Policy(env), "value": Value(env)}, env, 16, rollouts=16, learning_epochs=2, mini_batches=2, scaled=True), env)

    class Shifted(Policy):
        def compute(self, inputs, role):
            mean = self.net(inputs["observations"])
            return mean + torch.empty_like(mean).uniform_(-inputs.get("alpha", 0.5), inputs.get("alpha", 0.5)), {"log_std": self.log_std}
    _run(_agent(RPO, {"policy": Shifted(env), "value": Value(env)}, env, 16, rollouts=16, learning_epochs=2, mini_batches=2), env)


def dqn():
    from skrl.agents.torch.ddqn import DDQN
    from skrl.agents.torch.dqn import DQN
    env = Field(continuous=False)
    for kind in (DQN, DDQN):
        _run(_agent(kind, {"q_network": Value(env, 3), "target_q_network": Value(env, 3)}, env, 200, learning_starts=10, batch_size=16, update_interval=2, target_update_interval=8, random_timesteps=5, exploration_scheduler=lambda step, steps: 0.2), env)


def dqn_gymnasium():
    from skrl.agents.torch.dqn import DQN
    env = wrap_env(gymnasium.make("CartPole-v1"))
    _run(_agent(DQN, {"q_network": Value(env, 2), "target_q_network": Value(env, 2)}, env, 200, learning_starts=10, batch_size=16, exploration_scheduler=lambda step, steps: 0.2), env)


def sac():
    from skrl.agents.torch.sac import SAC
    env = Field()
    for precise in (False, True):
        _run(_agent(SAC, {"policy": Policy(env, True), **{name: Critic(env) for name in ("critic_1", "critic_2", "target_critic_1", "target_critic_2")}}, env, 200, learning_starts=10, batch_size=16, grad_norm_clip=1.0, mixed_precision=precise), env)


def ddpg():
    from skrl.agents.torch.ddpg import DDPG
    from skrl.resources.noises.torch import OrnsteinUhlenbeckNoise
    env = Field()
    _run(_agent(DDPG, {"policy": Actor(env), "target_policy": Actor(env), "critic": Critic(env), "target_critic": Critic(env)}, env, 200, learning_starts=10, batch_size=16, exploration_noise=OrnsteinUhlenbeckNoise, exploration_noise_kwargs={"theta": 0.15, "sigma": 0.1, "base_scale": 0.5, "device": env.device}), env)


def td3():
    from skrl.agents.torch.td3 import TD3
    from skrl.resources.noises.torch import GaussianNoise
    env = Field()
    noise = {"mean": 0, "std": 0.1, "device": env.device}
    _run(_agent(TD3, {"policy": Actor(env), "target_policy": Actor(env), **{name: Critic(env) for name in ("critic_1", "critic_2", "target_critic_1", "target_critic_2")}}, env, 200, learning_starts=10, batch_size=16, exploration_noise=GaussianNoise, exploration_noise_kwargs=noise, smooth_regularization_noise=GaussianNoise, smooth_regularization_noise_kwargs=noise, smooth_regularization_clip=0.5), env)


def cem():
    from skrl.agents.torch.cem import CEM
    env = Field(continuous=False)
    _run(_agent(CEM, {"policy": Choice(env)}, env, 64, rollouts=16, percentile=0.7), env)


def memories():
    memory = RandomMemory(memory_size=32, num_envs=8, device=device)
    memory.create_tensor("observations", size=5, dtype=torch.float32)
    memory.create_tensor("rewards", size=1, dtype=torch.float32)
    for _ in range(40):
        memory.add_samples(observations=torch.randn(8, 5, device=device), rewards=torch.rand(8, 1, device=device))
    for _ in range(3):
        memory.sample(names=["observations", "rewards"], batch_size=16)
        memory.sample_all(names=["observations", "rewards"], mini_batches=4)


def preprocessors():
    from skrl.resources.preprocessors.torch import RunningStandardScaler
    scaler = RunningStandardScaler(size=5, device=device)
    for _ in range(3):
        scaler(torch.randn(16, 5, device=device), train=True)
        scaler(torch.randn(16, 5, device=device), inverse=True)
