const fractions: Readonly<Record<string, string>> = {
  '½': '1/2',
  '⅓': '1/3',
  '⅔': '2/3',
  '¼': '1/4',
  '¾': '3/4',
  '⅛': '1/8',
  '⅜': '3/8',
  '⅝': '5/8',
  '⅞': '7/8',
}

/** A word for “size” or a wearer that a point, colon or hyphen ties to a size: `Tg.S`, `Waist: 34`, `Unisex-L`. */
const tiedWord =
  /(?<![\p{L}\p{N}])((?:gr|tg|sz|t|tam|stl|str|rozm)\.|\p{L}{3,}:|\p{L}{4,}-|n°)(?=(?:x{0,4}[sml]|\d)(?:[\d/. -]|$)|\d?xl(?![\p{L}\p{N}]))/gu

const gluedKeyword =
  /(?<![\p{L}\p{N}])((?:gr|tg|sz|size|t|tam|taille|talla|taglia|maat|str|stl|no|nr|num|р)\.?)(?=\d)/gu

/** Lower case without accents, emoji and HTML entities. Fractions, dashes and quotes get one spelling. */
export function normaliseSizeText(text: string): string {
  const plain = text
    .replaceAll(/&nbsp;|&#160;/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/[½⅓⅔¼¾⅛⅜⅝⅞]/g, (sign) => ` ${fractions[sign]} `)
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll(/\p{Extended_Pictographic}|[\u200b\u200c]|\u200d|\ufe0f/gu, ' ')
    .replaceAll(/['’‘´`]/g, '')
    .replaceAll(/[“”„″]/g, '"')
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .replaceAll(/[×*](?= ?\d)/g, 'x')
    .replaceAll(/\((uk|us|usa|eu|eur|it|de|fr|au|aus|ru|jp|es)\)/g, ' $1')
    .replaceAll(/(?<=\p{L}): ?(?=\d)/gu, ' ')
    .replaceAll(/(?<=\d)(?=(?:uk|eu|us|fr|it|de)\d)/g, ' ')
    .replaceAll(/(?<=\d)\s?х\s?(?=\d)/g, 'x')
    .replaceAll('см', 'cm')
    // `42,5`, but not `5, 6`.
    .replaceAll(/(\d),5(?!\d)/g, '$1.5')
    .replaceAll(/(\d)\.0(?!\d)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
  // `l0` and `1O` are tens read from a label.
  if (/^[li][\do]$|^\do$/.test(plain)) return plain.replace('o', '0').replace(/[li]/, '1')
  // `Gr.42`, `T38`
  return plain
    .replaceAll(tiedWord, (word) => `${word.replace(/[:-]$/, '')} `)
    .replaceAll(gluedKeyword, '$1 ')
    .replaceAll(/#(?=\d)/g, '# ')
}
