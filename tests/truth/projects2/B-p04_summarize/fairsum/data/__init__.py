from .dictionary import Dictionary
from .dataset import SummaryDataset, collate_fn, generate_corpus, MaxTokensBatchSampler
