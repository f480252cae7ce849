import torch.nn as nn
import torch.nn.functional as F

from base import BaseModel


class ECGNet(BaseModel):
    def __init__(self, num_classes=5, width=16):
        super().__init__()
        self.conv1 = nn.Conv1d(1, width, 7, stride=2, padding=3)
        self.conv2 = nn.Conv1d(width, width * 2, 5, stride=2, padding=2)
        self.conv3 = nn.Conv1d(width * 2, width * 4, 5, stride=2, padding=2)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(width * 4, num_classes)

    def forward(self, x):
        for conv in (self.conv1, self.conv2, self.conv3):
            x = F.relu(conv(x))
        x = self.drop(F.adaptive_avg_pool1d(x, 1).squeeze(-1))
        return F.log_softmax(self.fc(x), dim=1)
