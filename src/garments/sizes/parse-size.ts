import { editDistance } from '../../platform/edit-distance.ts'
import { normaliseSizeText } from './normalise-size-text.ts'
import {
  bareNumbers,
  type Found,
  isBetween,
  isChild,
  isFootwear,
  isPair,
  isRange,
  joinRange,
  letterOrder,
  letterRule,
  none,
  ofCountry,
  type ParsedSize,
  range,
  readLetter,
  rule,
  rules,
  type SizeContext,
  toNumber,
  waistAndLength,
} from './size-rules.ts'
import {
  colourWords,
  countries,
  fillerWords,
  letterWords,
  localLetters,
  measurementWords,
  newbornWords,
  oneSizePhrases,
  type SizeSystem,
  type SizeType,
  type SizeWearer,
  sizeWords,
  typeWords,
  wearerWords,
} from './size-words.ts'

const months = 'jan|feb|mar|mrz|apr|may|mai|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez'
const monthNumbers: Readonly<Record<string, number>> = {
  jan: 1, feb: 2, mar: 3, mrz: 3, apr: 4, may: 5, mai: 5, jun: 6, jul: 7, aug: 8, sep: 9, sept: 9, oct: 10, okt: 10,
  nov: 11, dec: 12, dez: 12,
} // prettier-ignore

/** The range that a spreadsheet turned into a date: `10-Dez` was `10-12`, `Oct-12` too. */
function readDate(text: string): Found | undefined {
  const [, day, dayMonth, monthDay, year] =
    new RegExp(`^(?:(\\d{1,2})[-. /]+(${months})\\.?|(${months})\\.?[-. /]+(\\d{1,2}))$`).exec(text) ?? []
  const number = Number(day ?? year)
  const month = monthNumbers[dayMonth ?? monthDay ?? '']
  if (month === undefined) return undefined
  return { system: 'none', value: `${Math.min(number, month)}/${Math.max(number, month)}`, isUnsure: true }
}

const bareRule = rule(`${range}("?)`)
const wordRule = /[\p{L}\p{N}&.°#+][\p{L}\p{N}&.°#+-]*/uy
const oneSizeRule = rule(
  '(?:one|1|free|uni|o)[ -]?(?:size|sz|s|taille|talla)(?:[ -]?fits[ -]?(?:all|most))?|o/s|os|osfa|osfm|oz|t\\.?u\\.?|' +
    '(?:taille|talla|taglia|tamanho|rozmiar) (?:uni(?:que|ca|co|wersalny|versal)|u)|free|フリーサイズ',
)

const isOneSize = (text: string) => oneSizePhrases.has(text.replaceAll(/[\s_-]+/g, ''))

/** Returns the size word that a word of at least four letters misspells, with one error at most. */
const misspelt = (word: string): string | undefined =>
  word.length < 4 ? undefined : ['small', 'medium', 'large'].find((name) => editDistance(name, word) <= 1)

interface Scan {
  readonly found: Found[]
  readonly types: SizeType[]
  unknown: number
  wearer: SizeWearer | undefined
}

/** Finds the sizes in a text one after another, and the words between them. */
function scan(text: string, given: SizeContext): Scan {
  const result: Scan = { found: [], types: [], unknown: 0, wearer: given.wearer }
  let keyword: string | undefined
  const matchAt = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  for (let at = 0; at < text.length;) {
    const context = { ...given, wearer: result.wearer }
    const take = (found: Found, length: number) => {
      result.found.push(keyword === undefined ? found : { ...found, isNamed: true })
      keyword = undefined
      at += length
    }
    const once = matchAt(oneSizeRule, at)
    if (once !== null) {
      take({ system: 'one_size', value: 'One Size', isNamed: true }, once[0].length)
      continue
    }
    if (matchRules()) continue
    const letters = readLetters(at)
    if (letters !== undefined) {
      take(letters.found, letters.length)
      continue
    }
    const bare = matchAt(bareRule, at)
    if (bare !== null) {
      const [all, from = '', to] = bare
      if (isRange(from, to) || (context.kind === 'trousers' && isPair(from, to ?? ''))) {
        const found = readNumbers(bare, context)
        if (found === undefined) at += all.length
        else take(found, all.length)
      } else if (
        !isFootwear(context) &&
        context.wearer !== 'women' &&
        isBetween(from, 28, 50) &&
        isPair(from, to ?? '')
      )
        take(waistAndLength(from, to ?? ''), all.length)
      // Two sizes, unless the second number is lower: nobody knows what `23/14` is.
      else if (
        isBetween(from, isFootwear(context) ? 15 : 32, 200) ||
        isBetween(to ?? '', Number.parseFloat(from), 1000)
      )
        take(bareNumbers(from, undefined, '', context) ?? none(toNumber(from)), from.length)
      else take(none(''), all.length)
      continue
    }
    const word = matchAt(wordRule, at)?.[0]
    if (word === undefined) at++
    else at += readWord(word)

    function matchRules(): boolean {
      for (const [pattern, read] of rules) {
        const match = matchAt(pattern, at)
        if (match === null) continue
        const found = read(match, context)
        if (found === undefined) continue
        if (found === 'skip') at += match[0].length
        else take(found, match[0].length)
        return true
      }
      return false
    }
  }
  return result

  function readLetters(at: number): { found: Found; length: number } | undefined {
    const local = keyword === undefined ? undefined : /^[a-z]{1,3}(?![\p{L}\p{N}])/u.exec(text.slice(at))?.[0]
    const localSize =
      local === undefined || (keyword !== 'BR' && local !== 'ch' && local !== 'g') ? undefined : localLetters.get(local)
    if (local !== undefined && localSize !== undefined)
      return { found: { system: 'letter', value: localSize }, length: local.length }
    const first = matchAt(letterRule, at)
    // `L 30 cm` is the length of a bag.
    if (first === null || (given.kind === 'bag' && /^. ?\d/.test(text.slice(at)))) return undefined
    const value = readLetter(first)
    let length = first[0].length
    const sign = /^ ?(?:\/|-|to|&) ?/.exec(text.slice(at + length))?.[0]
    const second = sign === undefined ? null : matchAt(letterRule, at + length + sign.length)
    if (second === null) {
      // `L/G` is English and French.
      const other = /^\/(g|p|tg|tp|ch|eg|gg)(?![\p{L}\p{N}])/u.exec(text.slice(at + length))
      if (other !== null && localLetters.get(other[1] ?? '') === value) length += other[0].length
      const third = /^\/(g|p|tg|tp|ch|eg|gg)(?![\p{L}\p{N}])/u.exec(text.slice(at + length))
      if (other !== null && third !== null && localLetters.get(third[1] ?? '') === value) length += third[0].length
      return { found: { system: 'letter', value }, length }
    }
    const to = readLetter(second)
    length += (sign?.length ?? 0) + second[0].length
    if (to === value) return { found: { system: 'letter', value }, length }
    const steps = letterOrder.indexOf(to) - letterOrder.indexOf(value)
    // A span of sizes on offer.
    const isSpan = steps !== 1 || /^ ?[/-] ?(?:x*[sl]|m)(?![\p{L}\p{N}])/u.test(text.slice(at + length))
    if (isSpan) return { found: { system: 'letter', value: '' }, length }
    return { found: { system: 'letter', value: `${value}/${to}` }, length }
  }

  function readNumbers([all, from = '', to]: RegExpExecArray, context: SizeContext): Found | undefined {
    const sign = /\d ?(-|\/)/.exec(all)?.[1] ?? ' '
    const isWaistAndLeg = context.kind === 'trousers' && to !== undefined && isPair(from, to)
    // `Gr. 38/40` is a size between two, `Gr. 32/32` are inches.
    if (isWaistAndLeg && Number(to) - Number(from) !== 2 && keyword === 'DE') return waistAndLength(from, to)
    if (keyword === undefined || keyword === '') return bareNumbers(from, to, sign, context)
    // Brands have numbers of their own.
    if (keyword === 'DE' && Number(from) < 16 && !isChild(context)) return none(joinRange(from, to, '/'))
    if (isFootwear(context) && keyword === 'brand' && isBetween(from, 17, 50))
      return { system: 'shoe_eu', value: joinRange(from, to, '-') }
    if (!['clothing', 'trousers', 'bra'].includes(context.kind ?? 'clothing') && !isFootwear(context))
      return none(joinRange(from, to, '/'))
    if (keyword === 'brand' || keyword === 'RU') return none(joinRange(from, to, '/'))
    if (isFootwear(context)) return { system: 'shoe_eu', value: joinRange(from, to, '-') }
    if (
      (isChild(context) || (context.wearer === undefined && keyword !== 'IT')) &&
      isBetween(from, 74, 182) &&
      Number(from) % 6 === 2
    )
      return { system: 'height_cm', value: joinRange(from, to, '-') }
    if (isChild(context)) return bareNumbers(from, to, sign, context)
    if (keyword === 'FR' && !isBetween(from, 30, 60)) return none(joinRange(from, to, '/'))
    return ofCountry(keyword.toLowerCase(), from, to, context)
  }

  function readWord(word: string): number {
    const size = sizeWords.get(word) ?? (word.length > 1 ? sizeWords.get(word.replace(/[.#-]+$/, '')) : undefined)
    const type = typeWords.get(word)
    const wearer = wearerWords.get(word)
    if (newbornWords.has(word)) {
      result.found.push({ system: 'age_months', value: 'Newborn', isNamed: true })
      return word.length
    }
    const [, compound = '', rest = ''] =
      /^(umstands|kurz|lang|damen|herren|kinder|konfektions|schuh|kleider|hosen|jeans)?(grosse)$/.exec(word) ?? []
    if (rest !== '') {
      keyword = 'DE'
      const cut = compoundTypes[compound]
      if (cut !== undefined) result.types.push(cut)
      result.wearer ??= wearerWords.get(compound)
    } else if (size !== undefined) keyword = size
    else if (word === '#') keyword = 'brand'
    else if (type !== undefined) result.types.push(type)
    else if (wearer !== undefined) result.wearer ??= wearer
    else if (measurementWords.has(word)) return skipMeasurement(word)
    else {
      const name = misspelt(word)
      if (name !== undefined) result.found.push({ system: 'letter', value: letterWords.get(name) ?? '' })
      else if (!fillerWords.has(word) && !colourWords.has(word) && !countries.has(word) && !/^[.&°#+-]+$/.test(word))
        result.unknown++
    }
    return word.length
  }

  /** The name of a measurement, with the numbers after it. */
  function skipMeasurement(word: string): number {
    const rest = text.slice(text.indexOf(word, 0) + word.length)
    return word.length + (/^[\s:]*[\d.\s/-]+(?:"|in|inch|inches|cm)?/.exec(rest)?.[0].length ?? 0)
  }
}

const compoundTypes: Readonly<Record<string, SizeType>> = { umstands: 'maternity', kurz: 'petite', lang: 'tall' }

const germanCuts: Readonly<Record<string, SizeType>> = { k: 'petite', n: 'regular', l: 'tall' }

/** A German short, normal or long size: `K22`, `N38`, `L 76`. */
function readGermanCut(text: string): ParsedSize | null {
  const [, cut = '', value = ''] = /^(?:gr\.? |(?:kurz|lang)?grosse )?([kn]|l(?= ?[6-9]\d)) ?(\d{2})$/.exec(text) ?? []
  const type = germanCuts[cut]
  return type === undefined ? null : { system: 'DE', value, type, country: 'DE' }
}

/**
 * Reads a size text as people and shops write it. Of several sizes, the first counts. Returns null for a text that is
 * no size, such as `see label`, a price or the list of sizes on offer.
 */
export function parseSize(text: string, context: SizeContext = {}): ParsedSize | null {
  const plain = normaliseSizeText(text)
  const date = readDate(plain)
  if (date !== undefined) return { ...date, type: null }
  // Sizes on offer.
  if (/^\d+([-/ ])\d+(?:\1\d+)+$/.test(plain)) return null
  if (isOneSize(plain)) return { system: 'one_size', value: 'One Size', type: null }
  const german = readGermanCut(plain)
  if (german !== null && context.wearer !== 'men') return german
  const { found, types, unknown, wearer } = scan(plain, context)
  if (isList(plain, context)) return null
  const [first] = found
  if (first === undefined) return null
  const chosen = choose(found, context, plain)
  if (chosen === undefined || chosen.value === '' || isLetterList(found)) return null
  if (unknown > 0 && chosen.isNamed !== true && !isLastLetter(plain, found, unknown)) return null
  const { system, value, country, isUnsure } = chosen
  const type = typeOf(chosen, types, wearer)
  const cut = /(?<![a-z])(?:reg(?:ular)?|short|long)(?![a-z])/.test(plain)
    ? refineCut({ system, value, country }, { ...context, wearer })
    : { system, value, ...(country && { country }) }
  return { ...cut, type: type ?? null, ...(isUnsure && { isUnsure }) }
}

/** Whether three or more different letters follow each other, which are the sizes on offer. */
const isLetterList = (found: readonly Found[]) =>
  found.every(({ system }) => system === 'letter') && new Set(found.map(({ value }) => value)).size > 2

/** Whether a text is a brand and one letter size, such as `Zara M`. */
const isLastLetter = (text: string, found: readonly Found[], unknown: number) =>
  unknown <= 2 &&
  found.length === 1 &&
  found[0]?.system === 'letter' &&
  /^[\p{L}& ]+ (?:x{0,4}[sl]|m|\dxl)$/u.test(text)

/** Whether commas separate sizes of one system: two letters, or three of anything. These are the sizes on offer. */
function isList(text: string, context: SizeContext): boolean {
  const parts = text.split(/[,;]/)
  if (parts.length < 2) return false
  const systems = parts.map((part) => scan(part, context).found[0]?.system)
  return (
    systems.every((system) => system !== undefined && system === systems[0]) &&
    (parts.length > 2 || systems[0] === 'letter')
  )
}

/** The first size counts, but a bare number before a size that is named is the brand's own. */
function choose(
  [first, ...others]: readonly Found[],
  { kind = 'clothing' }: SizeContext,
  text: string,
): Found | undefined {
  if (first === undefined) return undefined
  const isUnnamed = first.system === 'none' && first.isNamed !== true
  const named = isUnnamed
    ? others.find(({ system, isNamed }) => system !== 'none' && (system !== 'waist_length' || isNamed === true))
    : undefined
  // `44 | W28`: the European size, and another beside it.
  const isEuropean = isBetween(first.value, 32, 60) && Number(first.value) % 2 === 0
  if (named !== undefined && isEuropean && (kind === 'clothing' || kind === 'trousers'))
    return { system: 'EU', value: first.value, country: 'EU' }
  const chosen = named ?? first
  const isChildShoe = /^shoe_u[sk]$/.test(chosen.system) && /child|kids|infant|toddler/.test(text)
  return isChildShoe && /\d$/.test(chosen.value) ? { ...chosen, value: `${chosen.value}C` } : chosen
}

function typeOf(chosen: Found, types: readonly SizeType[], wearer: SizeWearer | undefined): SizeType | undefined {
  const type = chosen.type ?? types.find((each) => each !== 'regular') ?? types[0]
  return type === 'tall' && wearer === 'men' && chosen.system === 'letter' ? 'big_tall' : type
}

/** A bare number with a word for its cut is a British size, as `14 Regular` for women and `42 Long` for men. */
function refineCut(size: { system: SizeSystem; value: string; country: string | undefined }, context: SizeContext) {
  const { system, value, country } = size
  const rest = { value, ...(country === undefined || country === '' ? {} : { country }) }
  if (system === 'none' && context.kind !== 'shoes' && /^\d{1,2}$/.test(value)) {
    if (context.wearer === 'women' && isBetween(value, 4, 28)) return { system: 'UK' as const, ...rest, country: 'UK' }
    if (context.wearer === 'men' && isBetween(value, 34, 48)) return { system: 'UK' as const, ...rest }
  }
  return { system, ...rest }
}
