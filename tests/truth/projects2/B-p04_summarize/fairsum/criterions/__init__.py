import math

import torch.nn.functional as F

CRITERION_REGISTRY = {}


def register_criterion(name):
    def wrapper(cls):
        CRITERION_REGISTRY[name] = cls
        return cls
    return wrapper


@register_criterion('cross_entropy')
class CrossEntropyCriterion(object):
    def __init__(self, args, padding_idx):
        self.padding_idx = padding_idx

    def __call__(self, model, sample, reduce=True):
        lprobs = model.get_normalized_probs(model(**sample['net_input']), log_probs=True)
        lprobs = lprobs.view(-1, lprobs.size(-1))
        loss = F.nll_loss(lprobs, sample['target'].view(-1), ignore_index=self.padding_idx, reduction='sum')
        return loss, sample['ntokens'], {'loss': loss.item(), 'nll_loss': loss.item(), 'ntokens': sample['ntokens']}


@register_criterion('label_smoothed_cross_entropy')
class LabelSmoothedCrossEntropyCriterion(object):
    def __init__(self, args, padding_idx):
        self.eps = args.label_smoothing
        self.padding_idx = padding_idx

    def __call__(self, model, sample, reduce=True):
        lprobs = model.get_normalized_probs(model(**sample['net_input']), log_probs=True)
        lprobs = lprobs.view(-1, lprobs.size(-1))
        target = sample['target'].view(-1, 1)
        non_pad_mask = target.ne(self.padding_idx)
        nll_loss = -lprobs.gather(dim=-1, index=target)[non_pad_mask]
        smooth_loss = -lprobs.sum(dim=-1, keepdim=True)[non_pad_mask]
        if reduce:
            nll_loss = nll_loss.sum()
            smooth_loss = smooth_loss.sum()
        eps_i = self.eps / lprobs.size(-1)
        loss = (1. - self.eps) * nll_loss + eps_i * smooth_loss
        logging_output = {
            'loss': loss.item() if reduce else loss.data,
            'nll_loss': nll_loss.item() if reduce else nll_loss.data,
            'ntokens': sample['ntokens'],
        }
        return loss, sample['ntokens'], logging_output


def aggregate(logging_outputs):
    n = sum(l['ntokens'] for l in logging_outputs)
    return {'loss': sum(l['loss'] for l in logging_outputs) / n / math.log(2),
            'nll_loss': sum(l['nll_loss'] for l in logging_outputs) / n / math.log(2), 'ntokens': n}
