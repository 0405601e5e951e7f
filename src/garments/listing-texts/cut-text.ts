/** Words that must not end a cut text, in the five languages. */
const openingWords =
  /(\s(and|in|of|by|with|for|size|und|mit|für|von|im|in|aus|größe|et|de|du|des|en|à|pour|par|coloris|taille|y|con|para|talla|e|di|da|per|colore|taglia|a))+$/i

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Returns as much of the text's beginning as fits, without cutting an emoji or an accented letter. */
function cutCharacters(text: string, maxLength: number): string {
  let length = 0
  for (const { segment, index } of characters.segment(text.slice(0, maxLength + 32))) {
    if (index + segment.length > maxLength) break
    length = index + segment.length
  }
  return text.slice(0, length)
}

/** Cuts a text to `maxLength` characters, preferably after a phrase, otherwise after a word. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength + 1)
  const ends = [cut.lastIndexOf(', '), cut.lastIndexOf(' '), maxLength]
  const end = ends.find((each, i) => each > maxLength / (i === 0 ? 1.25 : 2)) ?? maxLength
  return cutCharacters(text, end)
    .replace(/[\s,;–-]+$/, '')
    .replace(openingWords, '')
}
