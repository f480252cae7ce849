"""A criterion and a task for fairseq: what the trainer passes is on the GPU."""
import logging
import math
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from fairseq import metrics, utils
from fairseq.criterions import FairseqCriterion, register_criterion
from fairseq.dataclass import FairseqDataclass
from fairseq.tasks import register_task
from fairseq.tasks.translation import TranslationTask
from omegaconf import II

logger = logging.getLogger(__name__)


@dataclass
class ContrastiveCriterionConfig(FairseqDataclass):
    label_smoothing: float = field(default=0.1)
    contrastive_weight: float = field(default=1.0)
    temperature: float = field(default=0.1)
    sentence_avg: bool = II("optimization.sentence_avg")


def label_smoothed_nll_loss(lprobs, target, epsilon, ignore_index=None, reduce=True):
    if target.dim() == lprobs.dim() - 1:
        target = target.unsqueeze(-1)
    nll_loss = -lprobs.gather(dim=-1, index=target)
    smooth_loss = -lprobs.sum(dim=-1, keepdim=True)
    if ignore_index is not None:
        pad_mask = target.eq(ignore_index)
        nll_loss.masked_fill_(pad_mask, 0.0)
        smooth_loss.masked_fill_(pad_mask, 0.0)
    if reduce:
        nll_loss = nll_loss.sum()
        smooth_loss = smooth_loss.sum()
    eps_i = epsilon / (lprobs.size(-1) - 1)
    return (1.0 - epsilon - eps_i) * nll_loss + eps_i * smooth_loss, nll_loss


@register_criterion("contrastive_label_smoothed", dataclass=ContrastiveCriterionConfig)
class ContrastiveCriterion(FairseqCriterion):
    def __init__(self, task, sentence_avg, label_smoothing, contrastive_weight, temperature):
        super().__init__(task)
        self.sentence_avg = sentence_avg
        self.eps = label_smoothing
        self.weight = contrastive_weight
        self.temperature = temperature

    def forward(self, model, sample, reduce=True):
        net_output = model(**sample["net_input"])
        lprobs = model.get_normalized_probs(net_output, log_probs=True)
        target = model.get_targets(sample, net_output)
        loss, nll_loss = label_smoothed_nll_loss(lprobs.view(-1, lprobs.size(-1)), target.view(-1), self.eps, ignore_index=self.padding_idx, reduce=reduce)
        encoder_out = model.encoder.forward(sample["net_input"]["src_tokens"], sample["net_input"]["src_lengths"])
        contrast = self.contrastive(encoder_out["encoder_out"][0])
        loss = loss + self.weight * contrast
        sample_size = sample["target"].size(0) if self.sentence_avg else sample["ntokens"]
        n_correct, total = self.compute_accuracy(lprobs, target)
        logging_output = {
            "loss": loss.data,
            "nll_loss": nll_loss.data,
            "contrast": contrast.item(),  # sync: host-read
            "ntokens": sample["ntokens"],
            "nsentences": sample["target"].size(0),
            "sample_size": sample_size,
            "n_correct": utils.item(n_correct.data),  # missed: host-read
            "total": utils.item(total.data),  # missed: host-read
        }
        return loss, sample_size, logging_output

    def contrastive(self, states):
        emb = F.normalize(states.mean(0), dim=-1)
        sim = emb @ emb.t() / self.temperature
        labels = torch.arange(sim.size(0), device=sim.device)
        return F.cross_entropy(sim, labels)

    def compute_accuracy(self, lprobs, target):
        mask = target.ne(self.padding_idx)
        n_correct = torch.sum(lprobs.argmax(-1).masked_select(mask).eq(target.masked_select(mask)))  # sync: dynamic-shape x2
        total = torch.sum(mask)
        return n_correct, total

    @classmethod
    def reduce_metrics(cls, logging_outputs) -> None:
        loss_sum = sum(log.get("loss", 0) for log in logging_outputs)
        sample_size = sum(log.get("sample_size", 0) for log in logging_outputs)
        metrics.log_scalar("loss", loss_sum / sample_size / math.log(2), sample_size, round=3)
        total = utils.item(sum(log.get("total", 0) for log in logging_outputs))
        if total > 0:
            metrics.log_scalar("total", total)

    @staticmethod
    def logging_outputs_can_be_summed() -> bool:
        return True


@register_task("translation_with_bleu_dump")
class DumpTask(TranslationTask):
    def valid_step(self, sample, model, criterion):
        loss, sample_size, logging_output = super().valid_step(sample, model, criterion)
        hyps = self.inference_step(self.sequence_generator, [model], sample)
        for i, hyp in enumerate(hyps):
            text = self.tgt_dict.string(hyp[0]["tokens"].int().cpu(), "@@ ")  # sync: copy-to-host
            ref = self.tgt_dict.string(utils.strip_pad(sample["target"][i], self.tgt_dict.pad()))
            if i == 0:
                logger.info("H %s R %s %.3f", text, ref, hyp[0]["score"].item())  # missed: host-read
        return loss, sample_size, logging_output
