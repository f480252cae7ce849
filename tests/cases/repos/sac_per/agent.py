import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import distributions as pyd
from torch import nn

import utils


class TanhTransform(pyd.transforms.Transform):
    domain = pyd.constraints.real
    codomain = pyd.constraints.interval(-1.0, 1.0)
    bijective = True
    sign = +1

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return 0.5 * (y.log1p() - (-y).log1p())

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - F.softplus(-2.0 * x))


class SquashedNormal(pyd.transformed_distribution.TransformedDistribution):
    def __init__(self, loc, scale):
        self.loc = loc
        self.scale = scale
        self.base_dist = pyd.Normal(loc, scale)  # sync: distribution-validation
        super().__init__(self.base_dist, [TanhTransform()])

    @property
    def mean(self):
        mu = self.loc
        for tr in self.transforms:
            mu = tr(mu)
        return mu


class DiagGaussianActor(nn.Module):
    def __init__(self, obs_dim, action_dim, hidden_dim, hidden_depth, log_std_bounds):
        super().__init__()
        self.log_std_bounds = log_std_bounds
        self.trunk = utils.mlp(obs_dim, hidden_dim, 2 * action_dim, hidden_depth)
        self.outputs = dict()
        self.apply(utils.weight_init)

    def forward(self, obs):
        mu, log_std = self.trunk(obs).chunk(2, dim=-1)
        log_std = torch.tanh(log_std)
        lo, hi = self.log_std_bounds
        log_std = lo + 0.5 * (hi - lo) * (log_std + 1)
        std = log_std.exp()
        self.outputs["mu"] = mu
        self.outputs["std"] = std
        return SquashedNormal(mu, std)

    def log(self, logger, step):
        for k, v in self.outputs.items():
            logger.log_histogram(f"train_actor/{k}_hist", v, step)


class DoubleQCritic(nn.Module):
    def __init__(self, obs_dim, action_dim, hidden_dim, hidden_depth):
        super().__init__()
        self.Q1 = utils.mlp(obs_dim + action_dim, hidden_dim, 1, hidden_depth)
        self.Q2 = utils.mlp(obs_dim + action_dim, hidden_dim, 1, hidden_depth)

    def forward(self, obs, action):
        obs_action = torch.cat([obs, action], dim=-1)
        return self.Q1(obs_action), self.Q2(obs_action)


class SACAgent:
    def __init__(self, obs_dim, action_dim, action_range, device, critic, critic_target, actor, discount, init_temperature, lr, tau):
        self.action_range = action_range
        self.device = torch.device(device)
        self.discount = discount
        self.tau = tau
        self.critic = critic.to(self.device)
        self.critic_target = critic_target.to(self.device)
        self.critic_target.load_state_dict(self.critic.state_dict())
        self.actor = actor.to(self.device)
        self.log_alpha = torch.tensor(np.log(init_temperature)).to(self.device)
        self.log_alpha.requires_grad = True
        self.target_entropy = -action_dim
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=lr)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=lr)
        self.log_alpha_optimizer = torch.optim.Adam([self.log_alpha], lr=lr)
        self.train()

    def train(self, training=True):
        self.training = training
        self.actor.train(training)
        self.critic.train(training)

    @property
    def alpha(self):
        return self.log_alpha.exp()

    def act(self, obs, sample=False):
        obs = torch.FloatTensor(obs).to(self.device)  # sync: copy-to-device
        obs = obs.unsqueeze(0)
        dist = self.actor(obs)
        action = dist.sample() if sample else dist.mean
        action = action.clamp(*self.action_range)
        assert action.ndim == 2 and action.shape[0] == 1
        return utils.to_np(action[0])

    def update_critic(self, obs, action, reward, next_obs, not_done, weights, logger, step):
        dist = self.actor(next_obs)
        next_action = dist.rsample()
        log_prob = dist.log_prob(next_action).sum(-1, keepdim=True)  # sync: distribution-validation
        target_Q1, target_Q2 = self.critic_target(next_obs, next_action)
        target_V = torch.min(target_Q1, target_Q2) - self.alpha.detach() * log_prob
        target_Q = (reward + not_done * self.discount * target_V).detach()
        current_Q1, current_Q2 = self.critic(obs, action)
        td = current_Q1 - target_Q
        critic_loss = (weights * td ** 2).mean() + (weights * (current_Q2 - target_Q) ** 2).mean()
        logger.log("train_critic/loss", critic_loss, step)
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()
        return td.detach()

    def update_actor_and_alpha(self, obs, logger, step):
        dist = self.actor(obs)
        action = dist.rsample()
        log_prob = dist.log_prob(action).sum(-1, keepdim=True)  # sync: distribution-validation note
        actor_Q = torch.min(*self.critic(obs, action))
        actor_loss = (self.alpha.detach() * log_prob - actor_Q).mean()
        logger.log("train_actor/loss", actor_loss, step)
        logger.log("train_actor/entropy", -log_prob.mean(), step)
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()
        self.log_alpha_optimizer.zero_grad()
        alpha_loss = (self.alpha * (-log_prob - self.target_entropy).detach()).mean()
        logger.log("train_alpha/loss", alpha_loss, step)
        logger.log("train_alpha/value", self.alpha, step)
        alpha_loss.backward()
        self.log_alpha_optimizer.step()

    def update(self, replay_buffer, logger, step):
        batch, idxs, weights = replay_buffer.sample_prioritized(1024)
        obs, action, reward, next_obs, not_done = batch
        logger.log("train/batch_reward", reward.mean(), step)
        td = self.update_critic(obs, action, reward, next_obs, not_done, weights, logger, step)
        replay_buffer.update_priorities(idxs, td)
        if step % 2 == 0:
            self.update_actor_and_alpha(obs, logger, step)
        utils.soft_update_params(self.critic, self.critic_target, self.tau)
