def hard(x, y):
    if (x - y).abs().max() > 3:  # sync: tensor-truth
        return (x - y).abs().mean()
    return (x - y).square().mean()
