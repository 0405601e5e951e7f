"""Training views of the second network: garments from near, and necklines."""
import numpy as np

from samples.augment import Sampler, class_targets, class_weights
from samples.neck_views import sample_neck

NECK_SHARE = 0.4  # share of views that show the neckline


class NearSampler(Sampler):
    """Makes the first network's samples, but always from near. Neckline views have no outline target."""

    def is_near(self, share):
        return True

    def sample(self, row):
        if isinstance(row, str) or row['set'] == 'drawings' or self.generator.random() >= NECK_SHARE:
            return super().sample(row)
        nothing = np.zeros((self.size // 2, self.size // 2), np.float32)
        image = sample_neck(self, row, self.size)
        return image, nothing, nothing, 0.0, class_targets(row) | {'fit': -1}, class_weights(row), row
