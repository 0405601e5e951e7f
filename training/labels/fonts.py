"""The typefaces of rendered labels. README.md names the Debian packages that they come from."""

from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

# Patterns below /usr/share/fonts, each with one typeface.
patterns = [
    "truetype/dejavu/DejaVuSans.ttf",
    "truetype/dejavu/DejaVuSans-Bold.ttf",
    "truetype/dejavu/DejaVuSansCondensed.ttf",
    "truetype/dejavu/DejaVuSerif.ttf",
    "truetype/liberation*/LiberationSans-Regular.ttf",
    "truetype/liberation*/LiberationSans-Bold.ttf",
    "truetype/liberation*/LiberationSansNarrow-Regular.ttf",
    "truetype/liberation*/LiberationSerif-Regular.ttf",
    "truetype/liberation*/LiberationMono-Regular.ttf",
    "truetype/open-sans/OpenSans-Regular.ttf",
    "truetype/open-sans/OpenSans-CondLight.ttf",
    "truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
    "truetype/roboto/unhinted/RobotoTTF/RobotoCondensed-Regular.ttf",
    "truetype/lato/Lato-Regular.ttf",
    "truetype/lato/Lato-Black.ttf",
    "truetype/quicksand/Quicksand-*.ttf",
    "truetype/comfortaa/Comfortaa-*.ttf",
    "truetype/crosextra/Carlito-Regular.ttf",
    "truetype/crosextra/Caladea-Regular.ttf",
    "truetype/firacode/FiraCode-Regular.ttf",
    "truetype/clear-sans/ClearSans-Regular.ttf",
    "truetype/oxygen/Oxygen-Sans.ttf",
    "truetype/play/Play-Regular.ttf",
    "truetype/paratype/PTS55F.ttf",
    "truetype/paratype/PTN57F.ttf",
    "truetype/opendin/open-din.ttf",
    "truetype/vollkorn/Vollkorn-Regular.ttf",
    "truetype/adf/GilliusADF-Regular.otf",
    "truetype/adf/UniversalisADFStd-Regular.otf",
    "opentype/inter/Inter-Regular.otf",
    "opentype/inter/Inter-Bold.otf",
    "opentype/cantarell/Cantarell-Regular.otf",
    "opentype/bebas-neue/BebasNeue-Regular.otf",
    "opentype/cabin/Cabin-Regular.otf",
    "opentype/dosis/Dosis-Medium.otf",
    "opentype/jura/Jura-Medium.otf",
    "opentype/b612/B612-Regular.otf",
    "opentype/ebgaramond/EBGaramond12-Regular.otf",
    "opentype/quattrocento/QuattrocentoSans-Regular.otf",
    "opentype/yanone-kaffeesatz/YanoneKaffeesatz-Regular.otf",
    "opentype/courier-prime/CourierPrime-Regular.otf",
    "opentype/sora/Sora-Regular.otf",
    "opentype/urw-base35/NimbusSans-Regular.otf",
    "opentype/urw-base35/NimbusSansNarrow-Bold.otf",
    "opentype/urw-base35/URWGothic-Book.otf",
]

# Typefaces with the alphabets whose lines must yield nothing.
foreign_patterns = {
    "cyrillic": patterns[:6] + ["truetype/paratype/PTS55F.ttf", "truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf", "opentype/inter/Inter-Regular.otf"],
    "greek": patterns[:6] + ["truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf", "opentype/inter/Inter-Regular.otf"],
    "chinese": ["truetype/wqy/wqy-zenhei.ttc"],
}


def find(wanted):
    found = []
    for pattern in wanted:
        found += sorted(Path("/usr/share/fonts").glob(pattern))[:1]
    return found


@lru_cache(maxsize=None)
def load(path, size):
    return ImageFont.truetype(str(path), size)
