import numpy as np
import torch
import torch.nn.functional as F

import hparams as hp

device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')


def get_param_num(model):
    return sum(param.numel() for param in model.parameters())


def get_mask_from_lengths(lengths, max_len=None):
    batch_size = lengths.shape[0]
    if max_len is None:
        max_len = torch.max(lengths).item()
    ids = torch.arange(0, max_len).unsqueeze(0).expand(batch_size, -1).to(device)
    mask = (ids >= lengths.unsqueeze(1).expand(-1, max_len))
    return mask


def pad_1D(inputs, PAD=0):
    max_len = max(len(x) for x in inputs)
    return np.stack([np.pad(x, (0, max_len - x.shape[0]), mode='constant', constant_values=PAD) for x in inputs])


def pad_2D(inputs):
    max_len = max(np.shape(x)[0] for x in inputs)
    return np.stack([np.pad(x, ((0, max_len - x.shape[0]), (0, 0)), mode='constant') for x in inputs])


def pad(input_ele, mel_max_length=None):
    max_len = mel_max_length or max(x.size(0) for x in input_ele)
    out_list = list()
    for batch in input_ele:
        if len(batch.shape) == 1:
            out_list.append(F.pad(batch, (0, max_len - batch.size(0)), "constant", 0.0))
        else:
            out_list.append(F.pad(batch, (0, 0, 0, max_len - batch.size(0)), "constant", 0.0))
    return torch.stack(out_list)


def get_sinusoid_encoding_table(n_position, d_hid, padding_idx=None):
    pos = np.arange(n_position)[:, None]
    i = np.arange(d_hid)[None, :]
    table = pos / np.power(10000, 2 * (i // 2) / d_hid)
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    if padding_idx is not None:
        table[padding_idx] = 0.
    return torch.FloatTensor(table)


def mel_cepstral_distance(a, b):
    """not the real MCD, mels instead of cepstra"""
    n = min(len(a), len(b))
    return float(np.mean(np.sqrt(2 * np.sum((a[:n] - b[:n]) ** 2, axis=1))))
