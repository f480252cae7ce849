def entropic_partial_wasserstein(a, b, M, reg=0.05, **options):
    from . import sinkhorn
    return sinkhorn(a, b, M, reg)
