/** In lower case, except a letter that stands for a shape: T-shirt, A-line. */
export function spoken(value: string): string {
  return value.toLowerCase().replace(/^[a-z](?=-)/, (letter) => letter.toUpperCase())
}

export function withArticle(words: string): string {
  return `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`
}

export function closurePhrase(closure: string): string {
  if (closure === 'Pullover' || closure === 'Open' || closure === 'Slip-On') return 'no fastening'
  if (closure === 'Open Front') return 'an open front'
  return `${withArticle(spoken(closure))} fastening`
}
