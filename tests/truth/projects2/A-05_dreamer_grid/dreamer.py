import argparse
import pathlib
import tempfile

import numpy as np
import torch
from torch import nn

import models
import tools
from envs.grid import GridGoal

to_np = lambda x: x.detach().cpu().numpy()

CONFIGS = {
    "defaults": dict(
        logdir="", seed=0, device="cuda:0", steps=600, prefill=300, train_every=10, log_every=100, eval_every=300,
        eval_episode_num=2, batch_size=16, batch_length=32, dyn_stoch=32, dyn_discrete=32, dyn_deter=512, units=512,
        cnn_depth=32, unimix_ratio=0.01, kl_free=1.0, dyn_scale=0.5, rep_scale=0.1, model_lr=1e-4, ac_lr=3e-5,
        grad_clip=100.0, discount=0.997, discount_lambda=0.95, imag_horizon=15, actor_entropy=3e-4,
        slow_target_update=1, slow_target_fraction=0.02, replay_capacity=100000,
    ),
    "grid": dict(batch_size=8, batch_length=16, dyn_stoch=16, dyn_discrete=16, dyn_deter=128, units=128,
                 imag_horizon=8, model_lr=4e-4, ac_lr=1e-4, discount=0.97),
}


class Dreamer(nn.Module):
    def __init__(self, num_actions, config, logger, replay):
        super().__init__()
        self._config = config
        self._logger = logger
        self._replay = replay
        self._should_log = tools.Every(config.log_every)
        self._should_train = tools.Every(config.train_every)
        self._metrics = {}
        self._num_actions = num_actions
        self._step = 0
        self._wm = models.WorldModel(num_actions, config)
        self._task_behavior = models.ImagBehavior(config, self._wm, num_actions)

    def __call__(self, obs, state=None, training=True):
        if training:
            if self._should_train(self._step):
                self._train(self._replay.sample(self._config.batch_size))
            if self._should_log(self._step):
                for name, values in self._metrics.items():
                    self._logger.scalar(name, float(np.mean(values)))
                    self._metrics[name] = []
                self._logger.step = self._step
                self._logger.write(fps=True)
            self._step += 1
        with torch.no_grad():
            return self._policy(obs, state, training)

    def _policy(self, obs, state, training):
        if state is None:
            latent = None
            action = torch.zeros((1, self._num_actions), device=self._config.device)
        else:
            latent, action = state
        obs = self._wm.preprocess({k: np.asarray(v)[None] for k, v in obs.items()})
        embed = self._wm.encoder(obs["image"])
        latent, _ = self._wm.dynamics.obs_step(latent, action, embed, obs["is_first"])
        feat = self._wm.dynamics.get_feat(latent)
        actor = self._task_behavior.actor(feat)
        action = actor.sample() if training else actor.mode()
        return to_np(action[0]), (latent, action)

    def _train(self, data):
        metrics = {}
        post, mets = self._wm._train(data)
        metrics.update(mets)
        metrics.update(self._task_behavior._train(post))
        for name, value in metrics.items():
            if name not in self._metrics:
                self._metrics[name] = [value]
            else:
                self._metrics[name].append(value)


def run_episode(env, policy, agent_state=None):
    obs = env.reset()
    episode = [dict(obs, action=np.zeros(env.num_actions, np.float32))]
    done, ret = False, 0.0
    while not done:
        action, agent_state = policy(obs, agent_state)
        obs, reward, done = env.step(action)
        ret += reward
        # action stored is the one that led to this observation
        episode.append(dict(obs, action=action.astype(np.float32)))
    return episode, ret


def main(config):
    tools.set_seed_everywhere(config.seed)
    logdir = pathlib.Path(config.logdir or tempfile.mkdtemp(prefix="dreamer_"))
    logdir.mkdir(parents=True, exist_ok=True)
    print("Logdir", logdir)
    train_env, eval_env = GridGoal(seed=config.seed), GridGoal(seed=config.seed + 1000)
    replay = tools.Replay(config.replay_capacity, config.batch_length)
    logger = tools.Logger(logdir, 0)

    def random_agent(o, s):
        return np.eye(train_env.num_actions, dtype=np.float32)[np.random.randint(train_env.num_actions)], None

    print(f"Prefill dataset ({config.prefill} steps).")
    while len(replay) < config.prefill:
        replay.add(run_episode(train_env, random_agent)[0])

    agent = Dreamer(train_env.num_actions, config, logger, replay).to(config.device)
    agent.requires_grad_(requires_grad=False)
    should_eval = tools.Every(config.eval_every)

    while agent._step < config.steps:
        if should_eval(agent._step):
            print("Start evaluation.")
            returns = [run_episode(eval_env, lambda o, s: agent(o, s, training=False))[1]
                       for _ in range(config.eval_episode_num)]
            logger.scalar("eval_return", np.mean(returns))
            logger.write()
        print("Start training.") if agent._step == 0 else None
        episode, ret = run_episode(train_env, lambda o, s: agent(o, s, training=True))
        replay.add(episode)
        logger.scalar("train_return", ret)
        logger.scalar("train_length", len(episode) - 1)
        torch.save({"agent_state_dict": agent.state_dict()}, logdir / "latest.pt")
    logger.step = agent._step
    logger.write(fps=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--configs", nargs="+", default=["defaults"])
    args, remaining = parser.parse_known_args()
    defaults = {}
    for name in args.configs:
        defaults.update(CONFIGS[name])
    parser = argparse.ArgumentParser()
    for key, value in defaults.items():
        parser.add_argument(f"--{key}", type=type(value), default=value)
    main(parser.parse_args(remaining))
