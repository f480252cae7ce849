"""What is called is no output of a model, whatever its name: `attn.to_gate_logits(x)` is a layer of `attn`."""
import torch


class Processor:
    def __call__(self, attn, hidden, mask=None):
        hidden = torch.relu(hidden)
        if attn.to_gate_logits is not None:
            hidden = attn.to_gate_logits(hidden)
        query = attn.to_q(hidden)
        query = query.unflatten(2, (attn.heads, -1))
        return torch.matmul(query, query.transpose(1, 2))
