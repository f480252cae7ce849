import copy

import torch
from torch import nn

import networks
import tools

to_np = lambda x: x.detach().cpu().numpy()


class RewardEMA:
    """running mean and std"""

    def __init__(self, device, alpha=1e-2):
        self.alpha = alpha
        self.range = torch.tensor([0.05, 0.95], device=device)

    def __call__(self, x, ema_vals):
        flat_x = torch.flatten(x.detach())
        x_quantile = torch.quantile(input=flat_x, q=self.range)
        # this should be in-place operation
        ema_vals[:] = self.alpha * x_quantile + (1 - self.alpha) * ema_vals
        scale = torch.clip(ema_vals[1] - ema_vals[0], min=1.0)
        offset = ema_vals[0]
        return offset.detach(), scale.detach()


class WorldModel(nn.Module):
    def __init__(self, num_actions, config):
        super().__init__()
        self._config = config
        self.encoder = networks.ConvEncoder(config.cnn_depth)
        self.dynamics = networks.RSSM(config.dyn_stoch, config.dyn_deter, config.units, config.dyn_discrete,
                                      num_actions, self.encoder.outdim, config.unimix_ratio, config.device)
        self.feat_size = config.dyn_stoch * config.dyn_discrete + config.dyn_deter
        self.heads = nn.ModuleDict()
        self.heads["decoder"] = networks.ConvDecoder(self.feat_size, config.cnn_depth)
        self.heads["reward"] = networks.MLP(self.feat_size, 255, 2, config.units, "symlog_disc", config.device, zero_out=True)
        self.heads["cont"] = networks.MLP(self.feat_size, 1, 2, config.units, "binary", config.device)
        self._model_opt = tools.Optimizer("model", self.parameters(), config.model_lr, 1e-8, config.grad_clip)

    def preprocess(self, obs):
        obs = {k: torch.tensor(v, device=self._config.device, dtype=torch.float32) for k, v in obs.items()}
        obs["image"] = obs["image"] / 255.0
        # (batch_size, batch_length) -> (batch_size, batch_length, 1)
        obs["cont"] = (1.0 - obs["is_terminal"]).unsqueeze(-1)
        return obs

    def _train(self, data):
        data = self.preprocess(data)
        cfg = self._config
        with tools.RequiresGrad(self):
            embed = self.encoder(data["image"])
            post, prior = self.dynamics.observe(embed, data["action"], data["is_first"])
            kl_loss, kl_value, dyn_loss, rep_loss = self.dynamics.kl_loss(
                post, prior, cfg.kl_free, cfg.dyn_scale, cfg.rep_scale)
            feat = self.dynamics.get_feat(post)
            losses = {}
            recon = self.heads["decoder"](feat)
            losses["image"] = ((recon - data["image"]) ** 2).sum([-3, -2, -1])
            losses["reward"] = -self.heads["reward"](feat).log_prob(data["reward"].unsqueeze(-1))
            losses["cont"] = -self.heads["cont"](feat).log_prob(data["cont"])
            for name, loss in losses.items():
                assert loss.shape == embed.shape[:2], (name, loss.shape)
            model_loss = sum(losses.values()) + kl_loss
            metrics = self._model_opt(torch.mean(model_loss))
        metrics.update({f"{name}_loss": to_np(torch.mean(loss)) for name, loss in losses.items()})
        metrics["kl"] = to_np(torch.mean(kl_value))
        with torch.no_grad():
            metrics["prior_ent"] = to_np(torch.mean(self.dynamics.get_dist(prior).entropy()))
            metrics["post_ent"] = to_np(torch.mean(self.dynamics.get_dist(post).entropy()))
        post = {k: v.detach() for k, v in post.items()}
        return post, metrics


class ImagBehavior(nn.Module):
    def __init__(self, config, world_model, num_actions):
        super().__init__()
        self._config = config
        self._world_model = [world_model]  # hide from parameters()
        feat_size = world_model.feat_size
        self.actor = networks.MLP(feat_size, num_actions, 2, config.units, "onehot", config.device)
        self.value = networks.MLP(feat_size, 255, 2, config.units, "symlog_disc", config.device, zero_out=True)
        self._slow_value = copy.deepcopy(self.value)
        self._updates = 0
        self._actor_opt = tools.Optimizer("actor", self.actor.parameters(), config.ac_lr, 1e-5, config.grad_clip)
        self._value_opt = tools.Optimizer("value", self.value.parameters(), config.ac_lr, 1e-5, config.grad_clip)
        # register ema_vals to nn.Module for enabling torch.save and torch.load
        self.register_buffer("ema_vals", torch.zeros((2,)).to(config.device))
        self.reward_ema = RewardEMA(device=config.device)

    def _train(self, start):
        wm = self._world_model[0]
        self._update_slow_target()
        metrics = {}
        with tools.RequiresGrad(self.actor):
            imag_feat, imag_action = self._imagine(start, self._config.imag_horizon)
            reward = wm.heads["reward"](imag_feat).mode()
            discount = self._config.discount * wm.heads["cont"](imag_feat).base_dist.probs
            value = self.value(imag_feat).mode()
            target = tools.lambda_return(reward[1:], value[:-1], discount[1:], value[-1], self._config.discount_lambda)
            weights = torch.cumprod(torch.cat([torch.ones_like(discount[:1]), discount[:-1]], 0), 0).detach()
            base = value[:-1]
            policy = self.actor(imag_feat.detach())
            offset, scale = self.reward_ema(target, self.ema_vals)
            adv = (target - offset) / scale - (base - offset) / scale
            actor_ent = policy.entropy()
            actor_loss = -policy.log_prob(imag_action.detach())[:-1][:, :, None] * adv.detach()
            actor_loss -= self._config.actor_entropy * actor_ent[:-1, ..., None]
            actor_loss = torch.mean(weights[:-1] * actor_loss)
            metrics["normed_target_mean"] = to_np(torch.mean((target - offset) / scale))
            metrics["EMA_005"] = to_np(self.ema_vals[0])
            metrics["EMA_095"] = to_np(self.ema_vals[1])
            metrics.update(self._actor_opt(actor_loss))

        with tools.RequiresGrad(self.value):
            value_dist = self.value(imag_feat[:-1].detach())
            value_loss = -value_dist.log_prob(target.detach())
            slow_target = self._slow_value(imag_feat[:-1].detach())
            value_loss = value_loss - value_dist.log_prob(slow_target.mode().detach())
            value_loss = torch.mean(weights[:-1] * value_loss[:, :, None])
            metrics.update(self._value_opt(value_loss))

        metrics["actor_entropy"] = to_np(torch.mean(actor_ent))
        metrics["imag_reward_mean"] = to_np(reward.mean())
        return metrics

    def _imagine(self, start, horizon):
        dynamics = self._world_model[0].dynamics
        state = {k: v.reshape([-1] + list(v.shape[2:])) for k, v in start.items()}
        feats, actions = [], []
        for _ in range(horizon):
            feat = dynamics.get_feat(state)
            action = self.actor(feat.detach()).sample().detach()
            feats.append(feat)
            actions.append(action)
            state = dynamics.img_step(state, action)
        return torch.stack(feats), torch.stack(actions)

    def _update_slow_target(self):
        if self._updates % self._config.slow_target_update == 0:
            mix = self._config.slow_target_fraction
            for s, d in zip(self.value.parameters(), self._slow_value.parameters()):
                d.data = mix * s.data + (1 - mix) * d.data
        self._updates += 1
