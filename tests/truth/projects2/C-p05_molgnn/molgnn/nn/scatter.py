import torch


def scatter(src, index, dim_size=None, reduce="sum"):
    """minimal replacement for torch_scatter, along dim 0"""
    if dim_size is None:
        dim_size = int(index.max()) + 1 if index.numel() > 0 else 0
    shape = (dim_size,) + src.shape[1:]
    if reduce == "sum":
        return src.new_zeros(shape).index_add_(0, index, src)
    if reduce == "mean":
        out = src.new_zeros(shape).index_add_(0, index, src)
        cnt = src.new_zeros(dim_size).index_add_(0, index, src.new_ones(index.numel()))
        return out / cnt.clamp(min=1).view(-1, *[1] * (src.dim() - 1))
    if reduce == "max":
        idx = index.view(-1, *[1] * (src.dim() - 1)).expand_as(src)
        return src.new_zeros(shape).scatter_reduce_(0, idx, src, reduce="amax", include_self=False)
    raise ValueError(reduce)


def segment_softmax(src, index, num):
    m = scatter(src.detach(), index, num, "max")
    e = (src - m[index]).exp()
    return e / (scatter(e, index, num)[index] + 1e-16)
