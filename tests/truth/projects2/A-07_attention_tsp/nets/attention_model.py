import math
from typing import NamedTuple

import torch
from torch import nn

from nets.graph_encoder import GraphAttentionEncoder


class AttentionModelFixed(NamedTuple):
    """
    Context for AttentionModel decoder that is fixed during decoding so can be precomputed/cached
    """
    node_embeddings: torch.Tensor
    context_node_projected: torch.Tensor
    glimpse_key: torch.Tensor
    glimpse_val: torch.Tensor
    logit_key: torch.Tensor


class AttentionModel(nn.Module):
    def __init__(self, embedding_dim, hidden_dim, problem, n_encode_layers=2, tanh_clipping=10., n_heads=8):
        super(AttentionModel, self).__init__()
        self.embedding_dim = embedding_dim
        self.decode_type = None
        self.temp = 1.0
        self.tanh_clipping = tanh_clipping
        self.problem = problem
        self.n_heads = n_heads
        # Learned input symbols for first action
        self.W_placeholder = nn.Parameter(torch.Tensor(2 * embedding_dim))
        self.W_placeholder.data.uniform_(-1, 1)  # Placeholder should be in range of activations
        self.embedder = GraphAttentionEncoder(n_heads, embedding_dim, n_encode_layers, node_dim=2)
        # For each node we compute (glimpse key, glimpse value, logit key) so 3 * embedding_dim
        self.project_node_embeddings = nn.Linear(embedding_dim, 3 * embedding_dim, bias=False)
        self.project_fixed_context = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.project_step_context = nn.Linear(2 * embedding_dim, embedding_dim, bias=False)
        self.project_out = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def set_decode_type(self, decode_type, temp=None):
        self.decode_type = decode_type
        if temp is not None:  # Do not change temperature if not provided
            self.temp = temp

    def forward(self, input, return_pi=False):
        embeddings, _ = self.embedder(input)
        _log_p, pi = self._inner(input, embeddings)
        cost, mask = self.problem.get_costs(input, pi)
        # Log likelyhood is calculated within the model since returning it per action does not work well with
        # DataParallel since sequences can be of different lengths
        ll = self._calc_log_likelihood(_log_p, pi, mask)
        if return_pi:
            return cost, ll, pi
        return cost, ll

    def _calc_log_likelihood(self, _log_p, a, mask):
        # Get log_p corresponding to selected actions
        log_p = _log_p.gather(2, a.unsqueeze(-1)).squeeze(-1)
        assert (log_p > -1000).data.all(), "Logprobs should not be -inf, check sampling procedure!"
        return log_p.sum(1)

    def _inner(self, input, embeddings):
        outputs = []
        sequences = []
        state = self.problem.make_state(input)
        fixed = self._precompute(embeddings)
        # Perform decoding steps
        while not state.all_finished():
            log_p, mask = self._get_log_p(fixed, state)
            # Select the indices of the next nodes in the sequences, result (batch_size) long
            selected = self._select_node(log_p.exp()[:, 0, :], mask[:, 0, :])
            state = state.update(selected)
            outputs.append(log_p[:, 0, :])
            sequences.append(selected)
        return torch.stack(outputs, 1), torch.stack(sequences, 1)

    def _select_node(self, probs, mask):
        assert (probs == probs).all(), "Probs should not contain any nans"
        if self.decode_type == "greedy":
            _, selected = probs.max(1)
            assert not mask.gather(1, selected.unsqueeze(-1)).data.any(), \
                "Decode greedy: infeasible action has maximum probability"
        elif self.decode_type == "sampling":
            selected = probs.multinomial(1).squeeze(1)
            # Check if sampling went OK, can go wrong due to bug on GPU
            # See https://discuss.pytorch.org/t/bad-behavior-of-multinomial-function/10232
            while mask.gather(1, selected.unsqueeze(-1)).data.any():
                print('Sampled bad values, resampling!')
                selected = probs.multinomial(1).squeeze(1)
        else:
            assert False, "Unknown decode type"
        return selected

    def _precompute(self, embeddings):
        # The fixed context projection of the graph embedding is calculated only once for efficiency
        graph_embed = embeddings.mean(1)
        fixed_context = self.project_fixed_context(graph_embed)[:, None, :]
        glimpse_key, glimpse_val, logit_key = self.project_node_embeddings(embeddings).chunk(3, dim=-1)
        return AttentionModelFixed(
            embeddings, fixed_context, self._make_heads(glimpse_key), self._make_heads(glimpse_val),
            logit_key.contiguous())

    def _make_heads(self, v):
        b, n, _ = v.size()
        return v.contiguous().view(b, n, self.n_heads, -1).permute(0, 2, 1, 3)  # (b, heads, n, head_dim)

    def _get_log_p(self, fixed, state, normalize=True):
        # Compute query = context node embedding
        query = fixed.context_node_projected + \
            self.project_step_context(self._get_parallel_step_context(fixed.node_embeddings, state))
        mask = state.get_mask()
        log_p = self._one_to_many_logits(query, fixed.glimpse_key, fixed.glimpse_val, fixed.logit_key, mask)
        if normalize:
            log_p = torch.log_softmax(log_p / self.temp, dim=-1)
        assert not torch.isnan(log_p).any()
        return log_p, mask

    def _get_parallel_step_context(self, embeddings, state):
        batch_size = embeddings.size(0)
        if state.i.item() == 0:
            # First and only step, ignore prev_a (this is a placeholder)
            return self.W_placeholder[None, None, :].expand(batch_size, 1, self.W_placeholder.size(-1))
        return embeddings.gather(
            1,
            torch.cat((state.first_a, state.prev_a), 1)[:, :, None].expand(batch_size, 2, embeddings.size(-1))
        ).view(batch_size, 1, -1)

    def _one_to_many_logits(self, query, glimpse_K, glimpse_V, logit_K, mask):
        batch_size, num_steps, embed_dim = query.size()
        glimpse_Q = query.view(batch_size, num_steps, self.n_heads, -1).permute(0, 2, 1, 3)
        compatibility = torch.matmul(glimpse_Q, glimpse_K.transpose(-2, -1)) / math.sqrt(glimpse_Q.size(-1))
        compatibility[mask[:, None, :, :].expand_as(compatibility)] = -math.inf
        heads = torch.matmul(torch.softmax(compatibility, dim=-1), glimpse_V)
        glimpse = self.project_out(heads.permute(0, 2, 1, 3).contiguous().view(batch_size, num_steps, -1))
        logits = torch.matmul(glimpse, logit_K.transpose(-2, -1)) / math.sqrt(glimpse.size(-1))
        # From the logits compute the probabilities by clipping, masking and softmax
        logits = torch.tanh(logits) * self.tanh_clipping
        logits[mask] = -math.inf
        return logits
