"""A class method of an API that makes one; grouped convolutions."""
import torch
import torch.nn as nn
from transformers import BertConfig, BertForSequenceClassification

model = BertForSequenceClassification.from_pretrained("bert-base-uncased", num_labels=2).cuda()
apart = nn.Sequential(nn.Conv2d(32, 32, 3, padding=1, groups=32), nn.Conv2d(32, 64, 1)).cuda()
words = torch.zeros(8, 64, dtype=torch.long, device="cuda")
images = torch.zeros(4, 32, 16, 16, device="cuda")
for step in range(1000):
    out = apart(images)  # is: cuda float (4, 64, 16, 16)
    loss = model(input_ids=words, labels=words[:, 0]).loss + out.mean()
    loss.backward()
