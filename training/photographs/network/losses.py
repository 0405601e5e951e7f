"""Losses: labels of each head, outlines, and the predictions of teachers."""
import torch
from torch.nn import functional as F

HEAD_WEIGHTS = {
    'type': 1.0, 'pattern': 0.5, 'closure': 0.5, 'sleeve': 0.4, 'colour': 0.4, 'presence': 0.7, 'shown': 0.3, 'fabric': 0.5, 'fit': 0.35,
    'neckline': 0.45, 'source_label': 0.3, 'kids': 0.1}
OUTLINE_WEIGHT = 1.5
SMOOTHING = 0.05


def tag_loss(logits, batch, soft, share):
    """Returns the weighted cross-entropy of all heads. `share` of it compares with the teachers' probabilities `soft`."""
    total = 0.0
    for head, values in logits.items():
        targets, known = batch['targets'][head], batch['targets'][head] >= 0
        if not known.any():
            continue
        values, targets, weights = values[known], targets[known], batch['weights'][head][known]
        if head == 'fit':  # only the fits of the labelled type compete
            values = values.masked_fill(~batch['fits'][known], -30.0)
            losses = F.cross_entropy(values, targets, reduction='none')
        elif head == 'colour':
            losses = -(batch['colours'][known] * F.log_softmax(values, 1)).sum(1)
        else:
            losses = F.cross_entropy(values, targets, reduction='none', label_smoothing=SMOOTHING)
        if head in soft:
            losses = (1 - share) * losses - share * (soft[head][known] * F.log_softmax(values, 1)).sum(1)
        total = total + HEAD_WEIGHTS[head] * (losses * weights).sum() / len(known)
    return total


def outline_loss(logits, target, weights):
    """Returns cross-entropy plus dice loss per picture. `weights` (n, 1, h, w) are those of the entropy. The dice loss counts them at most once."""
    entropy = (F.binary_cross_entropy_with_logits(logits, target, reduction='none') * weights).mean()
    counted = weights.clamp(max=1)
    p, t, strongest = torch.sigmoid(logits) * counted, target * counted, counted.amax(dim=(1, 2, 3))
    overlap = 2 * (p * t).sum(dim=(1, 2, 3)) + 20
    dice = 1 - overlap / (p.sum(dim=(1, 2, 3)) + t.sum(dim=(1, 2, 3)) + 20)
    return entropy + 0.5 * (dice * strongest).mean()
