"""Renders labels with ground truth: `python render.py --seed 7 --count 300 --out DIR`. README.md names the packages."""

import argparse
import io
import json
import math
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

import fonts
from label_texts import brands, countries, fibres, languages, names, phrases, unlisted

letters = ["XXS", "XS", "S", "M", "L", "XL", "XXL", "3XL", "4XL", "5XL"]
letter_values = {"XXL": "2XL"}


def pick(random, values):
    return values[random.integers(len(values))]


def compose(random):
    """Fibres and shares that sum to 100."""
    count = int(random.choice([1, 2, 3, 4], p=[0.3, 0.4, 0.22, 0.08]))
    chosen = list(random.permutation(len(fibres))[:count]) if random.random() < 0.5 else [0, 1, 2, 3][:count]
    while True:
        cuts = sorted(random.choice(np.arange(1, 100), count - 1, replace=False).tolist())
        shares = sorted(np.diff([0, *cuts, 100]).tolist(), reverse=True)
        if random.random() < 0.2 or all(share % 5 == 0 or share in (2, 3, 97, 98, 94) for share in shares):
            return [(int(each), int(share)) for each, share in zip(chosen, shares)]


def material(shares):
    return ", ".join(f"{share}% {fibres[fibre]}" for fibre, share in sorted(shares, key=lambda each: -each[1]))


def material_lines(random, shares, chosen):
    """The composition in several languages, in one of the usual orders."""
    gap = pick(random, ["% ", "% ", "%", " % "])
    join = pick(random, [" / ", "/", " - ", " · ", ", "])
    style = random.choice(["blocks", "by fibre", "fibre first"], p=[0.5, 0.35, 0.15])
    if style == "by fibre":
        return [f"{share}{gap}" + join.join(dict.fromkeys(languages[each][fibre] for each in chosen)) for fibre, share in shares]
    if style == "fibre first":
        return [" ".join(f"{languages[each][fibre]} {share}%" for fibre, share in shares) for each in chosen]
    prefix = random.random() < 0.4
    return [(f"{each.upper()} " if prefix else "") + pick(random, [" ", ", "]).join(f"{share}{gap}{languages[each][fibre]}" for fibre, share in shares) for each in chosen]


def size_text(random):
    """What stands on the label, and the value."""
    kind = random.choice(["letter", "system", "several", "jeans", "height", "age", "months", "one", "word number"], p=[0.42, 0.15, 0.13, 0.06, 0.07, 0.06, 0.04, 0.03, 0.04])
    word = phrases[pick(random, list(phrases))][0]
    if kind == "letter":
        letter = pick(random, letters)
        return pick(random, [f"{word} {letter}", f"{word}: {letter}", letter, letter]), letter_values.get(letter, letter)
    number = int(random.integers(16, 28)) * 2
    if kind == "system":
        return f"{pick(random, ['EUR', 'EU', 'EUR.'])} {number}", f"EU {number}"
    if kind == "several":
        return pick(random, [f"EUR {number}  UK {number - 28}  US {number - 32}", f"EU {number} / FR {number + 2} / IT {number + 4}"]), f"EU {number}"
    if kind == "jeans":
        waist, length = int(random.integers(26, 40)), int(random.integers(14, 18)) * 2
        return pick(random, [f"W{waist} L{length}", f"W {waist} / L {length}", f"W{waist}/L{length}"]), f"W{waist} L{length}"
    if kind == "height":
        height = 50 + 6 * int(random.integers(3, 20))
        return pick(random, [f"{height} cm", f"{height} CM", f"{word} {height} cm"]), f"{height} cm"
    if kind == "age":
        age = int(random.integers(2, 14))
        return pick(random, [f"{age}-{age + 1} years", f"{age}-{age + 1} Y", f"{age}-{age + 1} ans"]), f"{age}-{age + 1} years"
    if kind == "months":
        age = int(random.integers(1, 8)) * 3
        return pick(random, [f"{age}-{age + 3} months", f"{age}-{age + 3} mois"]), f"{age}-{age + 3} months"
    if kind == "one":
        return pick(random, ["ONE SIZE", "Taille unique", "Talla única"]), "One size"
    return f"{word} {number}", str(number)


def write_label(random):
    """The lines of a label as (text, size, is the brand), and its ground truth. A care row is None."""
    truth = {"Brand": None, "Size": None, "Material": None, "Country of Origin": None}
    lines = []
    kind = random.choice(["full", "brand", "care", "tape", "composition"], p=[0.66, 0.12, 0.07, 0.03, 0.12])
    if kind == "tape":
        return [(pick(random, names), 1.2)], truth
    chosen = [pick(random, list(languages))] if random.random() < 0.2 else list(random.permutation(list(languages))[: random.integers(2, 11)])
    if random.random() < 0.7 and "en" not in chosen:
        chosen[0] = "en"
    spoken = [each for each in chosen if each in phrases] or ["en"]
    if kind in ("full", "brand") and random.random() < 0.85:
        listed = random.random() < 0.85
        name = pick(random, brands if listed else unlisted)
        if listed:
            truth["Brand"] = name
        lines.append((pick(random, [name, name.upper()]), random.uniform(1.6, 2.8)))
    if kind in ("full", "brand") and random.random() < 0.85:
        text, truth["Size"] = size_text(random)
        lines.append((text, random.uniform(1, 1.8)))
    if kind in ("full", "composition"):
        shares = compose(random)
        truth["Material"] = material(shares)
        if random.random() < 0.2:
            language = spoken[:1]
            lining = compose(random)
            shell, inner = phrases[language[0]][2:4]
            lines += [(f"{shell}: " + " ".join(material_lines(random, shares, language)), 1), (f"{inner}: " + " ".join(material_lines(random, lining, language)), 1)]
            truth["Material"] = f"Shell: {material(shares)}; Lining: {material(lining)}"
        else:
            lines += [(text, 1) for text in material_lines(random, shares, chosen)]
    if kind in ("full", "care", "composition"):
        lines.append((None, 2))
        if random.random() < 0.7:
            lines += [(phrases[each][4], 1) for each in spoken[:4]]
    if kind == "full" and random.random() < 0.75:
        country = pick(random, list(countries))
        truth["Country of Origin"] = country
        lines += [(phrases[each][1].format(countries[country].get(each, country)), 1) for each in spoken[: random.integers(1, 5)]]
    if random.random() < 0.3:
        lines.append((pick(random, ["RN 54023 CA 23911", "www.example.com", "Art. 1044 / 812 / 400", "PO 4500217733"]), 0.9))
    return lines, truth


def write_circled_label(random):
    """A label with its size as a letter in a filled circle below the word for size."""
    brand, size, shares = pick(random, brands), pick(random, letters[:5]), compose(random)
    lines = [(brand, 2), ("SIZE", 1), (f"({size})", 1.5), *((text, 1) for text in material_lines(random, shares, ["en"]))]
    truth = {"Brand": brand, "Size": letter_values.get(size, size), "Material": material(shares), "Country of Origin": None}
    return lines, truth


def wrap(font, text, width):
    rows = [""]
    for word in text.split(" "):
        longer = f"{rows[-1]} {word}".strip()
        if font.getlength(longer) > width and rows[-1]:
            rows.append(word)
        else:
            rows[-1] = longer
    return rows


def draw_care(draw, x, y, size, colour, line):
    """A wash tub with a number, a triangle, a square with a circle, an iron and a circle."""
    for index in range(5):
        left = x + index * size * 1.25
        right, bottom = left + size, y + size
        if index == 0:
            draw.line([(left, y + size * 0.2), (left + size * 0.15, bottom), (right - size * 0.15, bottom), (right, y + size * 0.2)], fill=colour, width=line)
            draw.text((left + size * 0.27, y + size * 0.3), "30", fill=colour, font=fonts.load(fonts.find(fonts.patterns)[0], max(8, int(size * 0.45))))
        elif index == 1:
            draw.polygon([(left + size / 2, y), (left, bottom), (right, bottom)], outline=colour, width=line)
            draw.line([(left, y), (right, bottom)], fill=colour, width=line)
        elif index == 2:
            draw.rectangle([left, y, right, bottom], outline=colour, width=line)
            draw.ellipse([left + line, y + line, right - line, bottom - line], outline=colour, width=line)
        elif index == 3:
            draw.polygon([(left, bottom), (left + size * 0.25, y + size * 0.45), (right, y + size * 0.45), (right, bottom)], outline=colour, width=line)
        else:
            draw.ellipse([left, y, right, bottom], outline=colour, width=line)
            draw.line([(left, y), (right, bottom)], fill=colour, width=line)


def draw_circled(draw, x, y, text, font, colour, paper):
    middle, radius = (x + font.getlength(text) / 2, y + font.size * 0.6), font.size * 0.9
    draw.ellipse([middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius], fill=colour)
    draw.text(middle, text, fill=paper, font=font, anchor="mm")


# Labels are drawn at twice their size.
oversampling = 2


def draw_label(random, lines, height):
    """The label as a picture, with text `height` pixels high."""
    size = int(height * oversampling * 1.25)
    path = pick(random, fonts.find(fonts.patterns))
    brand_path = pick(random, fonts.find(fonts.patterns))
    upper = random.random() < 0.5
    width = int(size * random.uniform(14, 26))
    dark = random.random() < 0.3
    paper, ink = random.uniform(185, 252), random.uniform(5, 80)
    tint = random.uniform(-14, 14, 3)
    if dark:
        paper, ink = random.uniform(15, 70), random.uniform(170, 250)
    colour = lambda level: tuple(int(np.clip(level + each, 0, 255)) for each in tint)
    rows = []
    for index, (text, scale) in enumerate(lines):
        if text is None:
            rows.append((None, int(size * scale)))
            continue
        large = scale > 1.5
        font = fonts.load(brand_path if large else path, int(size * scale))
        shown = text.upper() if upper and not large else text
        while large and font.getlength(shown) > width * 0.9:
            scale *= 0.9
            font = fonts.load(brand_path, int(size * scale))
        rows += [(row, font) for row in wrap(font, shown, width * 0.92)]
    leading = random.uniform(1.15, 1.5)
    heights = [size_or_font * 1.3 if text is None else sum(size_or_font.getmetrics()) * leading * 0.8 for text, size_or_font in rows]
    picture = Image.new("RGB", (width, int(sum(heights) + size * 1.6)), colour(paper))
    draw = ImageDraw.Draw(picture)
    centred = random.random() < 0.5
    y = size * 0.8
    for (text, size_or_font), tall in zip(rows, heights):
        if text is None:
            draw_care(draw, width * 0.06, y, size_or_font, colour(ink), max(2, size // 14))
        elif text.startswith("("):
            draw_circled(draw, width * 0.45, y, text[1:-1], size_or_font, colour(ink), colour(paper))
        else:
            long = size_or_font.getlength(text)
            draw.text(((width - long) / 2 if centred else width * 0.04, y), text, fill=colour(ink), font=size_or_font)
        y += tall
    return weave(random, picture, size)


def weave(random, picture, size):
    """Adds the texture of cloth, a sheen, and folds."""
    pixels = np.asarray(picture, np.float32)
    height, width = pixels.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    if random.random() < 0.4:
        pitch = random.uniform(2.5, 5)
        depth = random.uniform(3, 14)
        pixels = pixels + depth * (np.sin(rows * 2 * math.pi / pitch) * np.sin(columns * 2 * math.pi / (pitch * 1.3)))[..., None]
    if random.random() < 0.5:
        angle = random.uniform(0, math.pi)
        along = (columns * math.cos(angle) + rows * math.sin(angle)) / max(width, height)
        pixels = pixels + random.uniform(5, 35) * np.sin(along * random.uniform(2, 7) + random.uniform(0, 6))[..., None]
    if random.random() < 0.4:
        period = random.uniform(0.5, 1.6) * width
        shift = random.uniform(0.1, 0.5) * size * np.sin(np.arange(width) * 2 * math.pi / period + random.uniform(0, 6))
        source = np.clip(rows + shift[None, :], 0, height - 1).astype(int)
        pixels = pixels[source, columns.astype(int)]
        pixels = pixels + (random.uniform(0, 18) * np.cos(np.arange(width) * 2 * math.pi / period))[None, :, None]
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def solve_perspective(target, source):
    """Coefficients with which PIL finds the source of a target's pixel."""
    rows, values = [], []
    for (x, y), (u, v) in zip(target, source):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return np.linalg.solve(np.array(rows, float), np.array(values, float))


def photograph(random, label):
    """The label on cloth, seen at any angle."""
    width, height = label.width / oversampling, label.height / oversampling
    turn = random.uniform(0, 2 * math.pi) if random.random() < 0.7 else random.normal(0, 0.06)
    tilt = math.radians(random.uniform(0, 25)) if random.random() < 0.6 else 0
    axis = random.uniform(0, 2 * math.pi)
    distance = 2.5 * max(width, height)
    corners = []
    for x, y in [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]:
        # Tilted around an axis in its plane, then turned.
        along, across = x * math.cos(axis) + y * math.sin(axis), -x * math.sin(axis) + y * math.cos(axis)
        depth = distance + across * math.sin(tilt)
        across *= math.cos(tilt)
        x, y = along * math.cos(axis) - across * math.sin(axis), along * math.sin(axis) + across * math.cos(axis)
        x, y = x * distance / depth, y * distance / depth
        corners.append((x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)))
    margin = random.uniform(0.08, 0.4) * max(width, height)
    left, top = min(x for x, _ in corners) - margin, min(y for _, y in corners) - margin
    size = (int(max(x for x, _ in corners) - left + margin), int(max(y for _, y in corners) - top + margin))
    corners = [(x - left, y - top) for x, y in corners]
    source = [(0, 0), (label.width, 0), (label.width, label.height), (0, label.height)]
    coefficients = solve_perspective(corners, source)
    drawn = label.transform(size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC)
    mask = Image.new("L", label.size, 255).transform(size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BILINEAR)
    base = random.uniform(20, 230, 3)
    rows, columns = np.mgrid[0 : size[1], 0 : size[0]]
    pitch = random.uniform(3, 14)
    cloth = base + random.uniform(0, 14) * np.sin((columns * random.uniform(-1, 1) + rows) * 2 * math.pi / pitch)[..., None]
    cloth = cloth + random.normal(0, random.uniform(2, 14), (*cloth.shape[:2], 1))
    picture = Image.composite(drawn, Image.fromarray(np.clip(cloth, 0, 255).astype(np.uint8)), mask)
    picture = picture.filter(ImageFilter.GaussianBlur(random.uniform(0, 1.5) if random.random() < 0.6 else 0))
    pixels = np.asarray(picture, np.float32) * random.uniform(0.6, 1.05) + random.normal(0, random.uniform(0, 6), (size[1], size[0], 3))
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


# Text 10 to 40 pixels high, in pictures of at most this edge.
max_edge = 3000


def render(seed, number, write):
    random = np.random.default_rng([seed, number])
    while True:
        lines, truth = write(random)
        if not lines:
            continue
        height = random.uniform(10, 40)
        picture = photograph(random, draw_label(random, lines, height))
        if max(picture.size) <= max_edge:
            break
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=int(random.integers(50, 96)))
    return data.getvalue(), truth


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--circled", type=int, default=0, help="further labels with the size in a circle")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--max-bytes", type=int, default=math.inf)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    truths = {}
    number = -1
    while len(truths) < options.count + options.circled:
        number += 1
        data, truth = render(options.seed, number, write_label if len(truths) < options.count else write_circled_label)
        if len(data) > options.max_bytes:
            continue
        name = f"{len(truths):03d}.jpg"
        (options.out / name).write_bytes(data)
        truths[name] = truth
    (options.out / "labels.json").write_text(json.dumps(truths, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
