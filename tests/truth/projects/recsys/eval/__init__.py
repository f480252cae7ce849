from .metrics import auc_score, hit_ratio, log_loss, ndcg_at_k
