"""pfrl, cleanrl, rsl_rl: agents trained for a few hundred steps, on tasks of random numbers."""
import runpy
import sys

import numpy as np
import setuptools  # noqa: F401  (distutils for cleanrl)
import torch
from torch import nn

import cleanrl
import gym
import pfrl
from pfrl import agents, explorers, replay_buffers
from pfrl.q_functions import DiscreteActionValueHead, DistributionalFCStateQFunctionWithDiscreteAction, FCStateQFunctionWithDiscreteAction

gpu = 0 if torch.cuda.is_available() else -1
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _train(agent, discrete=True, steps=120):
    env = gym.make("CartPole-v1" if discrete else "Walker")
    for _ in range(steps // 20):
        obs, done = env.reset(), False
        while not done:
            action = agent.act(obs)
            obs, reward, done, info = env.step(action)
            agent.observe(obs, reward, done, False)
        print(agent.get_statistics())
    with agent.eval_mode():
        obs, done = env.reset(), False
        while not done:
            obs, reward, done, info = env.step(agent.act(obs))
            agent.observe(obs, reward, done, False)


def _epsilon():
    return explorers.ConstantEpsilonGreedy(0.2, lambda: np.random.randint(3))


def dqn():
    for kind in (agents.DQN, agents.DoubleDQN, agents.PAL, agents.AL, agents.DoublePAL, agents.DPP):
        q = FCStateQFunctionWithDiscreteAction(4, 3, 16, 1)
        for buffer in (replay_buffers.ReplayBuffer(200), replay_buffers.PrioritizedReplayBuffer(200, betasteps=50)):
            _train(kind(q, torch.optim.Adam(q.parameters()), buffer, 0.99, _epsilon(), gpu=gpu, replay_start_size=20, minibatch_size=8, update_interval=2, target_update_interval=10, phi=lambda x: x.astype(np.float32)))


def distributional():
    for kind in (agents.CategoricalDQN, agents.CategoricalDoubleDQN):
        q = DistributionalFCStateQFunctionWithDiscreteAction(4, 3, 11, -5, 5, 16, 1)
        _train(kind(q, torch.optim.Adam(q.parameters()), replay_buffers.PrioritizedReplayBuffer(200, betasteps=50), 0.99, _epsilon(), gpu=gpu, replay_start_size=20, minibatch_size=8, update_interval=2, target_update_interval=10))
    q = agents.iqn.ImplicitQuantileQFunction(psi=nn.Sequential(nn.Linear(4, 16), nn.ReLU()), phi=nn.Sequential(agents.iqn.CosineBasisLinear(8, 16), nn.ReLU()), f=nn.Linear(16, 3))
    _train(agents.IQN(q, torch.optim.Adam(q.parameters()), replay_buffers.ReplayBuffer(200), 0.99, _epsilon(), gpu=gpu, replay_start_size=20, minibatch_size=8, update_interval=2, target_update_interval=10))


def recurrent():
    q = pfrl.nn.RecurrentSequential(nn.Linear(4, 16), nn.ReLU(), nn.GRU(16, 16), nn.Linear(16, 3), DiscreteActionValueHead())
    _train(agents.DoubleDQN(q, torch.optim.Adam(q.parameters()), replay_buffers.EpisodicReplayBuffer(200), 0.99, _epsilon(), gpu=gpu, replay_start_size=20, minibatch_size=4, update_interval=2, target_update_interval=10, recurrent=True, episodic_update_len=5))


def _actor_critic(continuous):
    head = nn.Sequential(nn.Linear(16, 2), pfrl.policies.GaussianHeadWithStateIndependentCovariance(2)) if continuous else nn.Sequential(nn.Linear(16, 3), pfrl.policies.SoftmaxCategoricalHead())
    return nn.Sequential(nn.Linear(4, 16), nn.Tanh(), pfrl.nn.Branched(head, nn.Linear(16, 1)))


def ppo():
    for continuous in (False, True):
        model = _actor_critic(continuous)
        _train(agents.PPO(model, torch.optim.Adam(model.parameters()), obs_normalizer=pfrl.nn.EmpiricalNormalization(4), gpu=gpu, update_interval=40, minibatch_size=16, epochs=2, max_grad_norm=0.5), not continuous)


def a2c_reinforce():
    model = _actor_critic(False)
    agent = agents.A2C(model, torch.optim.RMSprop(model.parameters()), 0.99, num_processes=2, update_steps=5, gpu=gpu)
    for _ in range(60):
        agent.batch_act(list(np.random.rand(2, 4).astype(np.float32)))
        agent.batch_observe(list(np.random.rand(2, 4).astype(np.float32)), [0.1, 0.2], [False, False], [False, False])
    policy = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3), pfrl.policies.SoftmaxCategoricalHead())
    _train(agents.REINFORCE(policy, torch.optim.Adam(policy.parameters()), gpu=gpu, beta=1e-3, batchsize=2))


def trpo():
    policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2), pfrl.policies.GaussianHeadWithStateIndependentCovariance(2))
    vf = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
    _train(agents.TRPO(policy=policy, vf=vf, vf_optimizer=torch.optim.Adam(vf.parameters()), obs_normalizer=pfrl.nn.EmpiricalNormalization(4), gpu=gpu, update_interval=40, vf_epochs=2, vf_batch_size=16, conjugate_gradient_max_iter=4), False)


def continuous():
    def q():
        return nn.Sequential(pfrl.nn.ConcatObsAndAction(), nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))

    def act():
        return np.random.uniform(-1, 1, 2).astype(np.float32)
    common = dict(gpu=gpu, replay_start_size=20, minibatch_size=8, burnin_action_func=act)
    policy = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2), nn.Tanh(), pfrl.policies.DeterministicHead())
    q1, q2 = q(), q()
    _train(agents.TD3(policy, q1, q2, torch.optim.Adam(policy.parameters()), torch.optim.Adam(q1.parameters()), torch.optim.Adam(q2.parameters()), replay_buffers.ReplayBuffer(200), 0.99, explorers.AdditiveGaussian(0.1, -1, 1), soft_update_tau=5e-3, **common), False)
    _train(agents.DDPG(policy, q1, torch.optim.Adam(policy.parameters()), torch.optim.Adam(q1.parameters()), replay_buffers.ReplayBuffer(200), 0.99, explorers.AdditiveGaussian(0.1, -1, 1), target_update_method="soft", target_update_interval=1, update_interval=1, soft_update_tau=5e-3, n_times_update=1, **common), False)

    def squashed(x):
        mean, log_scale = torch.chunk(x, 2, dim=1)
        normal = torch.distributions.Independent(torch.distributions.Normal(mean, torch.exp(torch.clamp(log_scale, -20, 2))), 1)
        return torch.distributions.TransformedDistribution(normal, [torch.distributions.transforms.TanhTransform(cache_size=1)])
    policy = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 4), pfrl.nn.lmbda.Lambda(squashed))
    q1, q2 = q(), q()
    _train(agents.SoftActorCritic(policy, q1, q2, torch.optim.Adam(policy.parameters()), torch.optim.Adam(q1.parameters()), torch.optim.Adam(q2.parameters()), replay_buffers.ReplayBuffer(200), 0.99, entropy_target=-2, temperature_optimizer_lr=3e-4, **common), False)


def _script(name, *arguments):
    sys.argv = [name, "--total-timesteps", "160", *arguments]
    runpy.run_path(f"{cleanrl.__path__[0]}/{name}.py", run_name="__main__")


def cleanrl_dqn():
    _script("dqn", "--gym-id", "CartPole-v0", "--learning-starts", "40", "--batch-size", "8", "--train-frequency", "2", "--target-network-frequency", "20")


def cleanrl_c51():
    _script("c51", "--gym-id", "CartPole-v0", "--learning-starts", "40", "--batch-size", "8", "--train-frequency", "2", "--target-network-frequency", "20")


def cleanrl_sac():
    _script("sac_continuous_action", "--gym-id", "Walker", "--learning-starts", "40", "--batch-size", "8", "--autotune", "True")


def cleanrl_td3():
    _script("td3_continuous_action", "--gym-id", "Walker", "--learning-starts", "40", "--batch-size", "8")


def cleanrl_ddpg():
    _script("ddpg_continuous_action", "--episode-length", "20", "--gym-id", "Walker", "--learning-starts", "40", "--batch-size", "8")


class Field:
    """A vector environment on the GPU, as simulators give it."""
    num_envs, num_actions, max_episode_length, cfg = 8, 3, 20, {}

    def __init__(self):
        self.device = device
        self.episode_length_buf = torch.zeros(self.num_envs, dtype=torch.long, device=device)

    @property
    def unwrapped(self):
        return self

    step_dt = 0.02

    def get_observations(self):
        from tensordict import TensorDict
        return TensorDict({"policy": torch.randn(self.num_envs, 6, device=device)}, batch_size=[self.num_envs], device=device)

    def step(self, actions):
        self.episode_length_buf += 1
        done = self.episode_length_buf >= self.max_episode_length
        self.episode_length_buf[done] = 0
        extras = {"time_outs": done, "log": {"reward": torch.rand(1, device=device)}}
        return self.get_observations(), torch.rand(self.num_envs, device=device), done.long(), extras


def _rsl(actor="MLPModel", **algorithm):
    from rsl_rl.runners import OnPolicyRunner
    model = {"class_name": actor, "hidden_dims": [16, 16], "activation": "elu", "obs_normalization": True}
    if actor == "RNNModel":
        model.update(rnn_type="gru", rnn_hidden_dim=16, rnn_num_layers=1)
    config = {"num_steps_per_env": 12, "save_interval": 2, "obs_groups": {"actor": ["policy"], "critic": ["policy"]},
              "actor": {**model, "distribution_cfg": {"class_name": "GaussianDistribution", "init_std": 1.0, "std_type": "scalar"}}, "critic": dict(model),
              "algorithm": {"class_name": "PPO", "num_learning_epochs": 2, "num_mini_batches": 2, "schedule": "adaptive", "desired_kl": 0.01, "rnd_cfg": None, "symmetry_cfg": None, **algorithm},
              "logger": "tensorboard", "run_name": "", "experiment_name": "x", "check_for_nan": True}
    runner = OnPolicyRunner(Field(), config, log_dir="rsl", device=str(device))
    runner.learn(num_learning_iterations=4, init_at_random_ep_len=True)
    policy = runner.get_inference_policy(device=str(device))
    for _ in range(3):
        policy(Field().get_observations())


def rsl_mlp():
    _rsl()


def rsl_rnn():
    _rsl("RNNModel")


if __name__ == "__main__":
    for work in (dqn, distributional, recurrent, ppo, a2c_reinforce, trpo, continuous, cleanrl_dqn, cleanrl_c51, cleanrl_sac, cleanrl_td3, cleanrl_ddpg, rsl_mlp, rsl_rnn):
        work()
