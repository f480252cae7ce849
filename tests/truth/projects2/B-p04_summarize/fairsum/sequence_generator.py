import torch


class SequenceGenerator(object):
    """Beam search, one sentence after the other for the bookkeeping, batched over the beam."""

    def __init__(self, model, dictionary, beam_size=5, max_len=20, len_penalty=1., no_repeat_ngram_size=0):
        self.model = model
        self.eos, self.pad, self.bos = dictionary.eos_index, dictionary.pad_index, dictionary.bos_index
        self.beam_size, self.max_len, self.len_penalty = beam_size, max_len, len_penalty
        self.no_repeat_ngram_size = no_repeat_ngram_size

    def generate(self, sample):
        self.model.eval()
        with torch.no_grad():
            return self._generate(sample['net_input']['src_tokens'])

    def _generate(self, src_tokens):
        bsz, beam = src_tokens.size(0), self.beam_size
        enc, pad = self.model.encode(src_tokens)
        order = torch.arange(bsz, device=src_tokens.device).view(-1, 1).repeat(1, beam).view(-1)
        enc, pad = enc.index_select(0, order), pad.index_select(0, order)

        tokens = src_tokens.new_full((bsz * beam, self.max_len + 2), self.pad)
        tokens[:, 0] = self.eos
        scores = enc.new_zeros(bsz, beam)
        scores[:, 1:] = -1e9  # all beams are equal at the first step
        finalized = [[] for _ in range(bsz)]
        done = [False] * bsz

        for step in range(self.max_len + 1):
            logits = self.model.decode(tokens[:, :step + 1], enc, pad)[:, -1]
            lprobs = self.model.get_normalized_probs(logits, log_probs=True)
            lprobs[:, self.pad] = -float('inf')
            lprobs[:, self.bos] = -float('inf')
            if step == self.max_len:
                keep = lprobs[:, self.eos].clone()
                lprobs.fill_(-float('inf'))
                lprobs[:, self.eos] = keep
            if self.no_repeat_ngram_size > 0:
                self._ban_ngrams(tokens, lprobs, step)

            vocab = lprobs.size(1)
            cand = (lprobs.view(bsz, beam, vocab) + scores.unsqueeze(-1)).view(bsz, -1)
            cand_scores, cand_idx = cand.topk(2 * beam, dim=1)
            cand_beam, cand_tok = cand_idx // vocab, cand_idx % vocab

            new_tokens = tokens.clone()
            new_scores = torch.full_like(scores, -1e9)
            for b in range(bsz):
                if done[b]:
                    continue
                k = 0
                for j in range(2 * beam):
                    row = b * beam + cand_beam[b, j].item()
                    tok = cand_tok[b, j].item()
                    score = cand_scores[b, j].item()
                    if tok == self.eos:
                        if j < beam and score > -1e8:
                            hypo = tokens[row, 1:step + 1].clone()
                            finalized[b].append({'tokens': hypo, 'score': score / (step + 1) ** self.len_penalty})
                        continue
                    if k < beam:
                        new_tokens[b * beam + k] = tokens[row]
                        new_tokens[b * beam + k, step + 1] = tok
                        new_scores[b, k] = score
                        k += 1
                if len(finalized[b]) >= beam or step == self.max_len:
                    done[b] = True
            if all(done):
                break
            tokens, scores = new_tokens, new_scores
        for b in range(bsz):
            finalized[b].sort(key=lambda h: -h['score'])
        return finalized

    def _ban_ngrams(self, tokens, lprobs, step):
        n = self.no_repeat_ngram_size
        for r, seq in enumerate(tokens[:, 1:step + 1].tolist()):
            prefix = tuple(seq[-(n - 1):]) if n > 1 else ()
            banned = [seq[i + n - 1] for i in range(len(seq) - n + 1) if tuple(seq[i:i + n - 1]) == prefix]
            if len(seq) >= n - 1 and banned:
                lprobs[r, banned] = -float('inf')
