import torch
import torch.nn as nn
import torch.optim as optim


class PPO:
    def __init__(self, actor_critic, clip_param, ppo_epoch, num_mini_batch, value_coef, entropy_coef, lr=None, max_grad_norm=None):
        self.actor_critic = actor_critic
        self.clip_param = clip_param
        self.ppo_epoch = ppo_epoch
        self.num_mini_batch = num_mini_batch
        self.value_coef = value_coef
        self.entropy_coef = entropy_coef
        self.max_grad_norm = max_grad_norm
        self.optimizer = optim.Adam(actor_critic.parameters(), lr=lr, eps=1e-5)

    def update(self, rollouts):
        advantages = rollouts.returns[:-1] - rollouts.value_preds[:-1]
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-5)
        value_loss_epoch = 0
        action_loss_epoch = 0
        dist_entropy_epoch = 0
        kl = 0.0
        for e in range(self.ppo_epoch):
            for sample in rollouts.feed_forward_generator(advantages, self.num_mini_batch):
                obs, hidden, actions, value_preds, returns, masks, old_log_probs, adv = sample
                values, log_probs, dist_entropy, _ = self.actor_critic.evaluate_actions(obs, hidden, masks, actions)
                ratio = torch.exp(log_probs - old_log_probs)
                surr1 = ratio * adv
                surr2 = torch.clamp(ratio, 1.0 - self.clip_param, 1.0 + self.clip_param) * adv
                action_loss = -torch.min(surr1, surr2).mean()
                clipped = value_preds + (values - value_preds).clamp(-self.clip_param, self.clip_param)
                value_loss = 0.5 * torch.max((values - returns).pow(2), (clipped - returns).pow(2)).mean()
                with torch.no_grad():
                    approx_kl = ((ratio - 1) - (log_probs - old_log_probs)).mean()
                self.optimizer.zero_grad()
                (value_loss * self.value_coef + action_loss - dist_entropy * self.entropy_coef).backward()
                nn.utils.clip_grad_norm_(self.actor_critic.parameters(), self.max_grad_norm)
                self.optimizer.step()
                value_loss_epoch += value_loss.item()  # sync: host-read
                action_loss_epoch += action_loss.item()  # sync: host-read
                dist_entropy_epoch += dist_entropy.item()  # sync: host-read
                kl = approx_kl.item()  # sync: host-read
            if kl > 0.02:
                break
        n = self.ppo_epoch * self.num_mini_batch
        return value_loss_epoch / n, action_loss_epoch / n, dist_entropy_epoch / n
