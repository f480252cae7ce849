import torch
import torch.nn as nn
import torch.nn.functional as F
from transformers import BertConfig, BertModel

from .crf import CRF


class JointModel(nn.Module):
    """One encoder, three heads; the losses are weighted by learned uncertainties (Kendall et al. 2018)."""

    tasks = ("ner", "re", "intent")

    def __init__(self, vocab_size, num_tags, num_relations, num_intents, hidden=128, layers=3, dropout=0.1):
        super().__init__()
        config = BertConfig(vocab_size=vocab_size, hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=4,
                            intermediate_size=4 * hidden, max_position_embeddings=64, hidden_dropout_prob=dropout,
                            attention_probs_dropout_prob=dropout)
        self.bert = BertModel(config, add_pooling_layer=False)
        self.dropout = nn.Dropout(dropout)
        self.ner_head = nn.Linear(hidden, num_tags)
        self.crf = CRF(num_tags)
        self.re_head = nn.Sequential(nn.Linear(3 * hidden, hidden), nn.Tanh(), nn.Dropout(dropout),
                                     nn.Linear(hidden, num_relations))
        self.intent_head = nn.Linear(hidden, num_intents)
        self.log_vars = nn.Parameter(torch.zeros(len(self.tasks)))
        # most pairs have no relation
        self.register_buffer("re_weight", torch.tensor([0.3] + [1.0] * (num_relations - 1)))

    def span_repr(self, h, pairs):
        heads, tails, cls = [], [], []
        for i, h0, h1, t0, t1 in pairs.tolist():
            heads.append(h[i, h0:h1].mean(0))
            tails.append(h[i, t0:t1].max(0)[0])
            cls.append(h[i, 0])
        return torch.cat([torch.stack(heads), torch.stack(tails), torch.stack(cls)], dim=-1)

    def forward(self, input_ids, attention_mask, pairs, tags=None, relations=None, intent=None):
        h = self.dropout(self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state)
        mask = attention_mask.bool()
        emissions = self.ner_head(h)
        re_logits = self.re_head(self.span_repr(h, pairs))
        intent_logits = self.intent_head(h[:, 0])
        out = {"emissions": emissions, "re_logits": re_logits, "intent_logits": intent_logits}
        if tags is not None:
            losses = torch.stack([
                self.crf(emissions, tags, mask),
                F.cross_entropy(re_logits, relations, weight=self.re_weight),
                F.cross_entropy(intent_logits, intent),
            ])
            out["losses"] = losses
            out["loss"] = (torch.exp(-self.log_vars) * losses + self.log_vars).sum()
        return out

    def predict(self, out, attention_mask):
        return {
            "tags": self.crf.decode(out["emissions"], attention_mask.bool()),
            "relations": out["re_logits"].argmax(-1),
            "intent": out["intent_logits"].argmax(-1),
        }
