# Speech recognition with CTC (DeepSpeech2-ish), modified from the assemblyai tutorial notebook.
# Librispeech replaced with beeps so it can run anywhere.
import math
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
import torch.utils.data as data

try:
    from tqdm import tqdm
except ImportError:
    def tqdm(x, **kw):
        return x


def avg_wer(wer_scores, combined_ref_len):
    return float(sum(wer_scores)) / float(combined_ref_len)


def _levenshtein_distance(ref, hyp):
    m = len(ref)
    n = len(hyp)
    if ref == hyp:
        return 0
    if m == 0:
        return n
    if n == 0:
        return m
    if m < n:
        ref, hyp = hyp, ref
        m, n = n, m
    distance = np.zeros((2, n + 1), dtype=np.int32)
    for j in range(0, n + 1):
        distance[0][j] = j
    for i in range(1, m + 1):
        prev_row_idx = (i - 1) % 2
        cur_row_idx = i % 2
        distance[cur_row_idx][0] = i
        for j in range(1, n + 1):
            if ref[i - 1] == hyp[j - 1]:
                distance[cur_row_idx][j] = distance[prev_row_idx][j - 1]
            else:
                s_num = distance[prev_row_idx][j - 1] + 1
                i_num = distance[cur_row_idx][j - 1] + 1
                d_num = distance[prev_row_idx][j] + 1
                distance[cur_row_idx][j] = min(s_num, i_num, d_num)
    return distance[m % 2][n]


def wer(reference, hypothesis, delimiter=' '):
    ref_words = reference.lower().split(delimiter)
    hyp_words = hypothesis.lower().split(delimiter)
    return float(_levenshtein_distance(ref_words, hyp_words)) / len(ref_words)


def cer(reference, hypothesis):
    return float(_levenshtein_distance(list(reference.lower()), list(hypothesis.lower()))) / len(reference)


class TextTransform:
    """Maps characters to integers and vice versa"""

    def __init__(self):
        chars = "' abcdefghijklmnopqrstuvwxyz"
        self.char_map = {c if c != ' ' else '<SPACE>': i for i, c in enumerate(chars)}
        self.index_map = {i: c for i, c in enumerate(chars)}

    def text_to_int(self, text):
        int_sequence = []
        for c in text:
            if c == ' ':
                ch = self.char_map['<SPACE>']
            else:
                ch = self.char_map[c]
            int_sequence.append(ch)
        return int_sequence

    def int_to_text(self, labels):
        string = []
        for i in labels:
            string.append(self.index_map[i])
        return ''.join(string)


text_transform = TextTransform()
N_MELS = 40


class ToySpeech(data.Dataset):
    """Every char is a tone with a few frames of duration, returned as a raw waveform"""

    WORDS = "yes no stop go left right up down on off one two six ten".split()

    def __init__(self, n, seed, sr=4000):
        self.n, self.sr = n, sr
        rs = np.random.RandomState(seed)
        self.items = []
        for _ in range(n):
            self.items.append(' '.join(rs.choice(self.WORDS, rs.randint(1, 4))))
        self.rs = rs

    def __len__(self):
        return self.n

    def __getitem__(self, idx):
        text = self.items[idx]
        chunks = []
        for c in text:
            dur = self.rs.randint(300, 500)
            f0 = 150 + 60 * text_transform.text_to_int(c)[0]
            t = np.arange(dur) / self.sr
            chunks.append(np.sin(2 * np.pi * f0 * t) * np.hanning(dur))
        wav = np.concatenate(chunks)
        wav = wav + 0.02 * self.rs.randn(len(wav))
        return torch.tensor(wav, dtype=torch.float32), self.sr, text


def spectrogram(wav, n_fft=128, hop=64):
    win = torch.hann_window(n_fft)
    s = torch.stft(wav, n_fft, hop, window=win, return_complex=True).abs()
    return torch.log(s[:N_MELS] + 1e-5)


def spec_augment(spec, freq_mask=6, time_mask=8):
    f = np.random.randint(0, freq_mask)
    f0 = np.random.randint(0, spec.size(0) - f)
    spec[f0:f0 + f] = 0
    t = np.random.randint(0, min(time_mask, spec.size(1) // 4 + 1))
    t0 = np.random.randint(0, spec.size(1) - t)
    spec[:, t0:t0 + t] = 0
    return spec


def data_processing(data, data_type="train"):
    spectrograms = []
    labels = []
    input_lengths = []
    label_lengths = []
    for (waveform, _, utterance) in data:
        spec = spectrogram(waveform)
        if data_type == 'train':
            spec = spec_augment(spec)
        spec = spec.transpose(0, 1)
        spectrograms.append(spec)
        label = torch.LongTensor(text_transform.text_to_int(utterance.lower()))
        labels.append(label)
        input_lengths.append(spec.shape[0] // 2)
        label_lengths.append(len(label))

    spectrograms = nn.utils.rnn.pad_sequence(spectrograms, batch_first=True).unsqueeze(1).transpose(2, 3)
    labels = nn.utils.rnn.pad_sequence(labels, batch_first=True)
    return spectrograms, labels, input_lengths, label_lengths


def GreedyDecoder(output, labels, label_lengths, blank_label=28, collapse_repeated=True):
    arg_maxes = torch.argmax(output, dim=2)
    decodes = []
    targets = []
    for i, args in enumerate(arg_maxes):
        decode = []
        targets.append(text_transform.int_to_text(labels[i][:label_lengths[i]].tolist()))
        for j, index in enumerate(args):
            if index != blank_label:
                if collapse_repeated and j != 0 and index == args[j - 1]:
                    continue
                decode.append(index.item())
        decodes.append(text_transform.int_to_text(decode))
    return decodes, targets


class CNNLayerNorm(nn.Module):
    def __init__(self, n_feats):
        super(CNNLayerNorm, self).__init__()
        self.layer_norm = nn.LayerNorm(n_feats)

    def forward(self, x):
        # x (batch, channel, feature, time)
        x = x.transpose(2, 3).contiguous()
        x = self.layer_norm(x)
        return x.transpose(2, 3).contiguous()


class ResidualCNN(nn.Module):
    def __init__(self, in_channels, out_channels, kernel, stride, dropout, n_feats):
        super(ResidualCNN, self).__init__()
        self.cnn1 = nn.Conv2d(in_channels, out_channels, kernel, stride, padding=kernel // 2)
        self.cnn2 = nn.Conv2d(out_channels, out_channels, kernel, stride, padding=kernel // 2)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.layer_norm1 = CNNLayerNorm(n_feats)
        self.layer_norm2 = CNNLayerNorm(n_feats)

    def forward(self, x):
        residual = x
        x = self.cnn1(self.dropout1(F.gelu(self.layer_norm1(x))))
        x = self.cnn2(self.dropout2(F.gelu(self.layer_norm2(x))))
        x += residual
        return x


class BidirectionalGRU(nn.Module):
    def __init__(self, rnn_dim, hidden_size, dropout, batch_first):
        super(BidirectionalGRU, self).__init__()
        self.BiGRU = nn.GRU(input_size=rnn_dim, hidden_size=hidden_size, num_layers=1,
                            batch_first=batch_first, bidirectional=True)
        self.layer_norm = nn.LayerNorm(rnn_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        x = F.gelu(self.layer_norm(x))
        x, _ = self.BiGRU(x)
        return self.dropout(x)


class SpeechRecognitionModel(nn.Module):
    def __init__(self, n_cnn_layers, n_rnn_layers, rnn_dim, n_class, n_feats, stride=2, dropout=0.1):
        super(SpeechRecognitionModel, self).__init__()
        n_feats = n_feats // 2
        self.cnn = nn.Conv2d(1, 16, 3, stride=stride, padding=3 // 2)
        self.rescnn_layers = nn.Sequential(*[
            ResidualCNN(16, 16, kernel=3, stride=1, dropout=dropout, n_feats=n_feats) for _ in range(n_cnn_layers)])
        self.fully_connected = nn.Linear(n_feats * 16, rnn_dim)
        self.birnn_layers = nn.Sequential(*[
            BidirectionalGRU(rnn_dim=rnn_dim if i == 0 else rnn_dim * 2, hidden_size=rnn_dim, dropout=dropout,
                             batch_first=i == 0) for i in range(n_rnn_layers)])
        self.classifier = nn.Sequential(nn.Linear(rnn_dim * 2, rnn_dim), nn.GELU(), nn.Dropout(dropout),
                                        nn.Linear(rnn_dim, n_class))

    def forward(self, x):
        x = self.cnn(x)
        x = self.rescnn_layers(x)
        sizes = x.size()
        x = x.view(sizes[0], sizes[1] * sizes[2], sizes[3])  # (batch, feature, time)
        x = x.transpose(1, 2)
        x = self.fully_connected(x)
        x = self.birnn_layers(x)
        return self.classifier(x)


class IterMeter(object):
    """keeps track of total iterations"""

    def __init__(self):
        self.val = 0

    def step(self):
        self.val += 1

    def get(self):
        return self.val


def train(model, device, train_loader, criterion, optimizer, scheduler, epoch, iter_meter):
    model.train()
    data_len = len(train_loader.dataset)
    for batch_idx, _data in enumerate(tqdm(train_loader, desc='epoch %d' % epoch)):
        spectrograms, labels, input_lengths, label_lengths = _data
        spectrograms, labels = spectrograms.to(device), labels.to(device)

        optimizer.zero_grad()
        output = model(spectrograms)  # (batch, time, n_class)
        output = F.log_softmax(output, dim=2)
        output = output.transpose(0, 1)  # (time, batch, n_class)

        loss = criterion(output, labels, input_lengths, label_lengths)
        loss.backward()
        optimizer.step()
        scheduler.step()
        iter_meter.step()
        if batch_idx % 5 == 0 or batch_idx == data_len:
            print('Train Epoch: {} [{}/{} ({:.0f}%)]\tLoss: {:.6f}\tlr: {:.2e}'.format(
                epoch, batch_idx * len(spectrograms), data_len,
                100. * batch_idx / len(train_loader), loss.item(), scheduler.get_last_lr()[0]))


def test(model, device, test_loader, criterion, epoch, iter_meter):
    print('\nevaluating...')
    model.eval()
    test_loss = 0
    test_cer, test_wer = [], []
    with torch.no_grad():
        for i, _data in enumerate(test_loader):
            spectrograms, labels, input_lengths, label_lengths = _data
            spectrograms, labels = spectrograms.to(device), labels.to(device)
            output = model(spectrograms)
            output = F.log_softmax(output, dim=2)
            output = output.transpose(0, 1)
            loss = criterion(output, labels, input_lengths, label_lengths)
            test_loss += loss.item() / len(test_loader)

            decoded_preds, decoded_targets = GreedyDecoder(output.transpose(0, 1), labels, label_lengths)
            for j in range(len(decoded_preds)):
                test_cer.append(cer(decoded_targets[j], decoded_preds[j]))
                test_wer.append(wer(decoded_targets[j], decoded_preds[j]))

    avg_cer = sum(test_cer) / len(test_cer)
    avg_w = sum(test_wer) / len(test_wer)
    print('e.g. "%s" -> "%s"' % (decoded_targets[0], decoded_preds[0]))
    print('Test set: Average loss: {:.4f}, Average CER: {:4f} Average WER: {:.4f}\n'.format(test_loss, avg_cer, avg_w))
    return avg_w


def main(learning_rate=3e-3, batch_size=8, epochs=4):
    hparams = {
        "n_cnn_layers": 2,
        "n_rnn_layers": 2,
        "rnn_dim": 48,
        "n_class": 29,
        "n_feats": N_MELS,
        "stride": 2,
        "dropout": 0.1,
        "learning_rate": learning_rate,
        "batch_size": batch_size,
        "epochs": epochs,
    }
    use_cuda = torch.cuda.is_available()
    torch.manual_seed(7)
    device = torch.device("cuda" if use_cuda else "cpu")

    train_dataset = ToySpeech(96, 0)
    test_dataset = ToySpeech(24, 1)
    kwargs = {'num_workers': 1, 'pin_memory': True} if use_cuda else {}
    train_loader = data.DataLoader(dataset=train_dataset, batch_size=hparams['batch_size'], shuffle=True,
                                   collate_fn=lambda x: data_processing(x, 'train'), **kwargs)
    test_loader = data.DataLoader(dataset=test_dataset, batch_size=hparams['batch_size'], shuffle=False,
                                  collate_fn=lambda x: data_processing(x, 'valid'), **kwargs)

    model = SpeechRecognitionModel(hparams['n_cnn_layers'], hparams['n_rnn_layers'], hparams['rnn_dim'],
                                   hparams['n_class'], hparams['n_feats'], hparams['stride'],
                                   hparams['dropout']).to(device)
    # otherwise it sits in the all-blank solution for the first epochs
    model.classifier[-1].bias.data[28] = -1.5
    print(model)
    print('Num Model Parameters', sum([param.nelement() for param in model.parameters()]))

    optimizer = optim.AdamW(model.parameters(), hparams['learning_rate'])
    criterion = nn.CTCLoss(blank=28, zero_infinity=True).to(device)
    scheduler = optim.lr_scheduler.OneCycleLR(optimizer, max_lr=hparams['learning_rate'],
                                              steps_per_epoch=int(len(train_loader)), epochs=hparams['epochs'],
                                              anneal_strategy='linear')
    iter_meter = IterMeter()
    # sanity check of the decoder before training, everything should be garbage
    test(model, device, test_loader, criterion, 0, iter_meter)
    best = math.inf
    for epoch in range(1, epochs + 1):
        train(model, device, train_loader, criterion, optimizer, scheduler, epoch, iter_meter)
        w = test(model, device, test_loader, criterion, epoch, iter_meter)
        if w <= best:
            best = w
            os.makedirs('out', exist_ok=True)
            torch.save(model.state_dict(), 'out/deepspeech_toy.pth')


if __name__ == '__main__':
    main()
