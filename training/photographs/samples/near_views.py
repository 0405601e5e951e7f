"""What the second network sees: garments from near, and part of the time where a neckline is."""
import numpy as np

from samples.augment import Sampler, class_targets, class_weights
from samples.neck_views import sample_neck

NECK_SHARE = 0.4  # of the views of photographs


class NearSampler(Sampler):
    """Makes samples as the first network has them, all from near; part of them are necklines, whose outline does not count."""

    def is_near(self, share):
        return True

    def sample(self, row):
        if isinstance(row, str) or row['set'] == 'drawings' or self.generator.random() >= NECK_SHARE:
            return super().sample(row)
        nothing = np.zeros((self.size // 2, self.size // 2), np.float32)
        image = sample_neck(self, row, self.size)
        return image, nothing, nothing, 0.0, class_targets(row) | {'fit': -1}, class_weights(row), row
