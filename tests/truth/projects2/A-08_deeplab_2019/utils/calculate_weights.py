import numpy as np
from tqdm import tqdm


def calculate_weigths_labels(dataloader, num_classes):
    # Create an instance from the data loader
    z = np.zeros((num_classes,))
    print('Calculating classes weights')
    for sample in tqdm(dataloader):
        y = sample['label']
        y = y.detach().cpu().numpy()
        mask = (y >= 0) & (y < num_classes)
        labels = y[mask].astype(np.uint8)
        count_l = np.bincount(labels, minlength=num_classes)
        z += count_l
    total_frequency = np.sum(z)
    class_weights = []
    for frequency in z:
        class_weight = 1 / (np.log(1.02 + (frequency / total_frequency)))
        class_weights.append(class_weight)
    return np.array(class_weights)
