"""Trains the outputs that stand for all characters outside of the label languages' alphabets.

They replace those of 6,600 characters, and see rendered lines in Cyrillic, Greek and Chinese, which the original network
reads as Latin letters.
"""

import io

import numpy as np
import onnx
import onnxruntime
from PIL import Image, ImageDraw, ImageFilter

import fonts

outputs = 16
lines_of_each = 700

words = {
    "latin": "COTTON polyester Baumwolle coton algodón cotone katoen bawełna bavlna pamut bumbac bomull puuvilla medvilnė kokvilna puuvill pamuk algodão Elasthan élasthanne elastano wool Wolle laine lã lana wol wełna vlna gyapjú lână ull villa vilna 100% 65% 35% 95% 5% SIZE M XL XXL 38 40 EUR US UK Made in China Bangladesh Turkey hergestellt in fabriqué en WASH 30° 40°C do not bleach iron low nicht bleichen viscose Viskose poliéster Polyamid lyocell modal Hauptmaterial Futter shell lining doublure hecho en Portugal Vietnam".split(),
    "cyrillic": "хлопок полиэстер ХЛОПОК ПОЛИЭСТЕР эластан ЭЛАСТАН вискоза ВИСКОЗА шерсть ШЕРСТЬ бавовна БАВОВНА поліестер ПОЛІЕСТЕР памук ПАМУК полиестер еластан вовна полиамид ПОЛИАМИД состав СОСТАВ размер РАЗМЕР сделано СДЕЛАНО в КИТАЕ Бангладеш ТУРЦИЯ Узбекистан стирать при не отбеливать НЕ ОТБЕЛИВАТЬ гладить утюжить УТЮЖИТЬ химчистка машинная стирка СТИРКА сухая ЧИСТКА ЗАПРЕЩЕНА вывернутым наизнанку отдельно ДЕЛИКАТНАЯ мақта жері подкладка верх ткань изготовитель импортер адрес Москва ул Ленина произведено ВИРОБЛЕНО".split(),
    "greek": "ΒΑΜΒΑΚΙ βαμβάκι πολυεστέρας ΠΟΛΥΕΣΤΕΡΑΣ ελαστάν ΕΛΑΣΤΑΝ μαλλί ΜΑΛΛΙ βισκόζη ΒΙΣΚΟΖΗ πολυαμίδιο ΠΟΛΥΑΜΙΔΗ λινό ΛΙΝΟ κατασκευάζεται ΚΑΤΑΣΚΕΥΑΖΕΤΑΙ στο ΠΑΚΙΣΤΑΝ Κίνα πλύσιμο ΠΛΥΣΙΜΟ μέγεθος ΜΕΓΕΘΟΣ μην λευκαίνετε σιδέρωμα ΣΙΔΕΡΩΜΑ ακρυλικό φόδρα ΦΟΔΡΑ εξωτερικό ύφασμα".split(),
    "chinese": "棉 聚酯纤维 氨纶 粘纤 羊毛 锦纶 腈纶 面料 里料 尺码 号型 成份 成分 洗涤 不可漂白 中国制造 原产地 上海 合格证 产品名称 等级 一等品 执行标准 安全类别 莱赛尔 桑蚕丝 亚麻 涤纶 填充物 白鸭绒 檢驗 綿 ポリエステル 綿 毛 ナイロン 日本製 サイズ 中国製 면 폴리에스터".split(),
}


def render_line(random, script):
    paths = fonts.find(fonts.patterns if script == "latin" else fonts.foreign_patterns[script])
    font = fonts.load(paths[random.integers(len(paths))], int(random.integers(18, 60)))
    text = " ".join(random.choice(words[script], size=random.integers(1, 5)))
    if random.random() < 0.4:
        text = text.upper()
    left, top, right, bottom = font.getbbox(text)
    pad = int((bottom - top) * random.uniform(0.05, 0.35)) + 1
    light, dark = random.uniform(140, 255), random.uniform(0, 110)
    if random.random() < 0.35:
        light, dark = dark, light
    image = Image.new("L", (right - left + 2 * pad, bottom - top + 2 * pad), int(light))
    ImageDraw.Draw(image).text((pad - left, pad - top), text, fill=int(dark), font=font)
    small = max(9, int(random.uniform(10, 48)))
    image = image.resize((max(8, image.width * small // image.height), small), Image.Resampling.BICUBIC)
    if random.random() < 0.5:
        image = image.filter(ImageFilter.GaussianBlur(random.uniform(0, 0.06) * small))
    width = max(32, round(48 * image.width / image.height / 8) * 8)
    pixels = np.asarray(image.resize((width, 48), Image.Resampling.BILINEAR), np.float32)
    return np.clip(pixels + random.normal(0, random.uniform(0, 12), pixels.shape), 0, 255)


def collect(model, last, random):
    """Features of the steps that are not blank, each with the original's character or -1 if it is to be rejected."""
    graph = onnx.load_model(io.BytesIO(model))
    # The last layer's input is the sum before its product.
    product = next(node for node in graph.graph.node if node.op_type == "MatMul" and node.input[1] == "linear_1.w_0")
    graph.graph.output.append(onnx.helper.make_tensor_value_info(product.input[0], 1, None))
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    features, targets = [], []
    for script in words:
        count = lines_of_each * (3 if script == "latin" else 2 if script == "cyrillic" else 1)
        for _ in range(count):
            pixels = render_line(random, script)
            picture = np.repeat((pixels / 127.5 - 1)[None, None], 3, axis=1).astype(np.float32)
            seen = session.run([product.input[0]], {"x": picture})[0][0]
            best = (seen @ last.weights.T + last.biases).argmax(axis=1)
            features.append(seen)
            targets.append(np.where(best == 0, 0, best if script == "latin" else -1))
    return np.concatenate(features), np.concatenate(targets)


class Rejects:
    def __init__(self, weights, biases):
        self.weights, self.biases = weights, biases


def fit_rejects(model, places, last):
    """Fits the outputs by gradient descent, with those that are kept unchanged."""
    random = np.random.default_rng(1)
    features, targets = collect(model, last, random)
    removed = np.setdiff1d(np.arange(len(last.biases)), places)
    index = {place: at for at, place in enumerate(places)}
    isReject = (targets == -1) | np.isin(targets, removed)
    labels = np.array([len(places) if reject else index[t] for t, reject in zip(targets, isReject)])
    logits = features @ last.weights[places].T + last.biases[places]
    kept = np.log(np.exp(logits - logits.max(axis=1, keepdims=True)).sum(axis=1)) + logits.max(axis=1)
    start = last.weights[random.choice(removed, outputs)]
    weights, biases = start + random.normal(0, 0.05, start.shape), np.full(outputs, -4.0)
    moments = [np.zeros((outputs, features.shape[1] + 1)) for _ in range(2)]
    inputs = np.concatenate([features, np.ones((len(features), 1))], axis=1)
    parameters = np.concatenate([weights, biases[:, None]], axis=1)
    for step in range(1, 3001):
        batch = random.integers(len(inputs), size=4096)
        scores = inputs[batch] @ parameters.T
        highest = scores.max(axis=1, keepdims=True)
        each = np.exp(scores - highest)
        total = np.log(each.sum(axis=1)) + highest[:, 0]
        probability = 1 / (1 + np.exp(kept[batch] - total))
        wanted = labels[batch] == len(places)
        error = (probability - wanted)[:, None] * (each / each.sum(axis=1, keepdims=True))
        gradient = error.T @ inputs[batch] / len(batch) + 1e-5 * parameters
        moments[0] = 0.9 * moments[0] + 0.1 * gradient
        moments[1] = 0.999 * moments[1] + 0.001 * gradient**2
        rate = 0.02 * (1 - step / 3001)
        parameters -= rate * moments[0] / (1 - 0.9**step) / (np.sqrt(moments[1] / (1 - 0.999**step)) + 1e-8)
    scores = inputs @ parameters.T
    total = np.log(np.exp(scores - scores.max(axis=1, keepdims=True)).sum(axis=1)) + scores.max(axis=1)
    rejected = total > kept
    visible = targets != 0
    print("rejected of other alphabets:", rejected[(targets == -1) & visible].mean())
    print("rejected of Latin:", rejected[(labels < len(places)) & visible].mean())
    return Rejects(parameters[:, :-1], parameters[:, -1])
