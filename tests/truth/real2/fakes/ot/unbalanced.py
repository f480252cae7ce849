def sinkhorn_knopp_unbalanced(a, b, M, reg=0.05, reg_m=1.0, **options):
    from . import sinkhorn
    return sinkhorn(a, b, M, reg)
