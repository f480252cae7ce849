import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class BertEmbeddings(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.word_embeddings = nn.Embedding(cfg.vocab_size, cfg.hidden_size, padding_idx=0)
        self.position_embeddings = nn.Embedding(cfg.max_position_embeddings, cfg.hidden_size)
        self.token_type_embeddings = nn.Embedding(cfg.type_vocab_size, cfg.hidden_size)
        self.LayerNorm = nn.LayerNorm(cfg.hidden_size, eps=cfg.layer_norm_eps)
        self.dropout = nn.Dropout(cfg.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids):
        position_ids = torch.arange(input_ids.size(1), dtype=torch.long, device=input_ids.device)
        position_ids = position_ids.unsqueeze(0).expand_as(input_ids)
        e = self.word_embeddings(input_ids) + self.position_embeddings(position_ids)
        e = e + self.token_type_embeddings(token_type_ids)
        return self.dropout(self.LayerNorm(e))


class BertSelfAttention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.n = cfg.num_attention_heads
        self.d = cfg.hidden_size // cfg.num_attention_heads
        self.query = nn.Linear(cfg.hidden_size, cfg.hidden_size)
        self.key = nn.Linear(cfg.hidden_size, cfg.hidden_size)
        self.value = nn.Linear(cfg.hidden_size, cfg.hidden_size)
        self.dropout = nn.Dropout(cfg.hidden_dropout_prob)

    def transpose_for_scores(self, x):
        return x.view(*x.size()[:-1], self.n, self.d).permute(0, 2, 1, 3)

    def forward(self, hidden_states, attention_mask):
        q = self.transpose_for_scores(self.query(hidden_states))
        k = self.transpose_for_scores(self.key(hidden_states))
        v = self.transpose_for_scores(self.value(hidden_states))
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.d)
        scores = scores + attention_mask
        probs = self.dropout(F.softmax(scores, dim=-1))
        ctx = torch.matmul(probs, v).permute(0, 2, 1, 3).contiguous()
        return ctx.view(*ctx.size()[:-2], self.n * self.d)


class BertLayer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.attention = BertSelfAttention(cfg)
        self.attn_out = nn.Linear(cfg.hidden_size, cfg.hidden_size)
        self.ln1 = nn.LayerNorm(cfg.hidden_size, eps=cfg.layer_norm_eps)
        self.intermediate = nn.Linear(cfg.hidden_size, cfg.intermediate_size)
        self.output = nn.Linear(cfg.intermediate_size, cfg.hidden_size)
        self.ln2 = nn.LayerNorm(cfg.hidden_size, eps=cfg.layer_norm_eps)
        self.dropout = nn.Dropout(cfg.hidden_dropout_prob)

    def forward(self, x, mask):
        x = self.ln1(x + self.dropout(self.attn_out(self.attention(x, mask))))
        return self.ln2(x + self.dropout(self.output(F.gelu(self.intermediate(x)))))


class BertForPreTraining(nn.Module):
    """MLM + NSP heads, gathers only the masked positions before the vocabulary projection."""

    def __init__(self, cfg, checkpoint_activations=False):
        super().__init__()
        self.config = cfg
        self.checkpoint_activations = checkpoint_activations
        self.embeddings = BertEmbeddings(cfg)
        self.layer = nn.ModuleList([BertLayer(cfg) for _ in range(cfg.num_hidden_layers)])
        self.pooler = nn.Linear(cfg.hidden_size, cfg.hidden_size)
        self.transform = nn.Sequential(nn.Linear(cfg.hidden_size, cfg.hidden_size), nn.GELU(),
                                       nn.LayerNorm(cfg.hidden_size, eps=cfg.layer_norm_eps))
        self.decoder_bias = nn.Parameter(torch.zeros(cfg.vocab_size))
        self.seq_relationship = nn.Linear(cfg.hidden_size, 2)
        self.apply(self.init_bert_weights)

    def init_bert_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            module.weight.data.normal_(mean=0.0, std=self.config.initializer_range)
        if isinstance(module, nn.Linear) and module.bias is not None:
            module.bias.data.zero_()

    def forward(self, input_ids, token_type_ids, attention_mask, masked_lm_labels=None, next_sentence_label=None):
        ext = attention_mask.unsqueeze(1).unsqueeze(2).to(dtype=self.decoder_bias.dtype)
        ext = (1.0 - ext) * -10000.0
        x = self.embeddings(input_ids, token_type_ids)
        for layer in self.layer:
            if self.checkpoint_activations and self.training:
                x = checkpoint(layer, x, ext, use_reentrant=False)
            else:
                x = layer(x, ext)
        nsp_logits = self.seq_relationship(torch.tanh(self.pooler(x[:, 0])))
        if masked_lm_labels is None:
            return self.lm_head(x), nsp_logits
        labels = masked_lm_labels.view(-1)
        idx = torch.nonzero(labels != -1, as_tuple=False).squeeze(1)
        mlm_logits = self.lm_head(x.reshape(-1, x.size(-1)).index_select(0, idx))
        labels = labels.index_select(0, idx)
        mlm_loss = F.cross_entropy(mlm_logits.float(), labels)
        nsp_loss = F.cross_entropy(nsp_logits.float(), next_sentence_label)
        mlm_acc = (torch.argmax(mlm_logits, dim=-1) == labels).sum().float(), labels.numel()
        return mlm_loss + nsp_loss, mlm_loss, nsp_loss, mlm_acc

    def lm_head(self, h):
        return F.linear(self.transform(h), self.embeddings.word_embeddings.weight, self.decoder_bias)
