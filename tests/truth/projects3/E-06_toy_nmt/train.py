import math
import os
import random
import sys
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from bleu import corpus_bleu, merge_suffixes
from corpus import PAD, Grammar, PairDataset, TokenBucketSampler, Vocab, make_corpus
from search import beam_search, greedy
from transformer import Seq2Seq

cfg = dict(
    n_train=6000, n_valid=256, n_test=192,
    d=128, heads=4, ff=384, layers=2, dropout=0.1,
    epochs=8, max_tokens=2048, accum=1,
    warmup=120, lr_scale=1.0, smoothing=0.1, clip=1.0,
    beam=4, alpha=0.6, bf16=True, seed=42, save='model_best.pt',
)
# key=value overrides on the command line
for kv in sys.argv[1:]:
    k, v = kv.split('=')
    cfg[k] = type(cfg[k])(int(v)) if isinstance(cfg[k], bool) else type(cfg[k])(v)

device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')


class LabelSmoothing(nn.Module):
    """KL to the smoothed distribution; mass spread over all words but PAD and the target"""

    def __init__(self, size, smoothing):
        super().__init__()
        self.size, self.eps = size, smoothing

    def forward(self, logits, target):
        logp = logits.float().log_softmax(-1)
        keep = target != PAD
        nll = -logp.gather(-1, target[..., None]).squeeze(-1)
        rest = -(logp.sum(-1) - logp[..., PAD]) - nll
        loss = (1 - self.eps) * nll + self.eps / (self.size - 2) * rest
        return (loss * keep).sum(), (nll * keep).sum(), keep.sum()


def noam(step):
    step += 1
    return cfg['lr_scale'] * cfg['d'] ** -0.5 * min(step ** -0.5, step * cfg['warmup'] ** -1.5)


def run_epoch(model, loader, crit, opt=None, sched=None):
    model.train(opt is not None)
    tot = nll_tot = ntok = 0.0
    for i, (src, tgt) in enumerate(loader):
        src, tgt = src.to(device), tgt.to(device)
        with torch.set_grad_enabled(opt is not None), torch.autocast(device.type, torch.bfloat16, enabled=cfg['bf16']):
            loss, nll, n = crit(model(src, tgt[:, :-1]), tgt[:, 1:])
        if opt is not None:
            (loss / n / cfg['accum']).backward()
            if (i + 1) % cfg['accum'] == 0:
                nn.utils.clip_grad_norm_(model.parameters(), cfg['clip'])
                opt.step()
                sched.step()
                opt.zero_grad()
        tot += loss.item()
        nll_tot += nll.item()
        ntok += n.item()
    return tot / ntok, math.exp(min(nll_tot / ntok, 20)), ntok


def translate(model, dataset, tv, fn, bs=64):
    model.eval()
    hyps = []
    for k in range(0, len(dataset), bs):
        src, _ = dataset.collate([dataset[i] for i in range(k, min(k + bs, len(dataset)))])
        hyps += [tv.decode(h) for h in fn(model, src.to(device))]
    return hyps


def main():
    random.seed(cfg['seed'])
    torch.manual_seed(cfg['seed'])
    g = Grammar(seed=1)
    pairs = make_corpus(cfg['n_train'] + cfg['n_valid'] + cfg['n_test'], g, cfg['seed'])
    tr, va, te = pairs[:cfg['n_train']], pairs[cfg['n_train']:-cfg['n_test']], pairs[-cfg['n_test']:]
    sv, tv = Vocab([p[0] for p in tr]), Vocab([p[1] for p in tr])
    print(f'{len(tr)} pairs, vocab {len(sv)}/{len(tv)}')
    train, valid, test = (PairDataset(x, sv, tv) for x in (tr, va, te))
    train_loader = DataLoader(train, batch_sampler=TokenBucketSampler(train.lengths, cfg['max_tokens'], cfg['seed']), collate_fn=train.collate)
    valid_loader = DataLoader(valid, batch_size=64, collate_fn=valid.collate)

    model = Seq2Seq(len(sv), len(tv), cfg['d'], cfg['heads'], cfg['ff'], cfg['layers'], cfg['dropout']).to(device)
    print('parameters: %.2fM' % (sum(p.numel() for p in model.parameters()) / 1e6))
    opt = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, noam)
    crit = LabelSmoothing(len(tv), cfg['smoothing'])

    best = 0.0
    for ep in range(cfg['epochs']):
        t0 = time.time()
        loss, ppl, ntok = run_epoch(model, train_loader, crit, opt, sched)
        dt = time.time() - t0
        vloss, vppl, _ = run_epoch(model, valid_loader, crit)
        bleu = corpus_bleu(translate(model, valid, tv, greedy), [p[1] for p in va])
        print(f'epoch {ep + 1} | train {loss:.3f} ppl {ppl:.2f} | valid {vloss:.3f} ppl {vppl:.2f} | greedy BLEU {bleu:.2f} '
              f'| {ntok / dt:.0f} tok/s | lr {sched.get_last_lr()[0]:.2e}')
        if bleu >= best:
            best = bleu
            torch.save(model.state_dict(), cfg['save'])

    if os.path.exists(cfg['save']):
        model.load_state_dict(torch.load(cfg['save'], map_location=device))
    hyps = translate(model, test, tv, lambda m, s: beam_search(m, s, cfg['beam'], alpha=cfg['alpha']))
    refs = [p[1] for p in te]
    word = corpus_bleu([merge_suffixes(h) for h in hyps], [merge_suffixes(r) for r in refs])
    exact = sum(h == r for h, r in zip(hyps, refs)) / len(refs)
    print(f'test beam={cfg["beam"]}: BLEU {corpus_bleu(hyps, refs):.2f}  word BLEU {word:.2f}  exact {exact:.3f}')
    for i in random.sample(range(len(te)), 3):
        print('  SRC', ' '.join(te[i][0]))
        print('  HYP', ' '.join(merge_suffixes(hyps[i])))
        print('  REF', ' '.join(merge_suffixes(refs[i])))


if __name__ == '__main__':
    main()
