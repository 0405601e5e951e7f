import {
  clothingSystems,
  countries,
  letterWords,
  measurementWords,
  monthUnits,
  type SizeSystem,
  type SizeType,
  type SizeWearer,
  yearUnits,
} from './size-words.ts'

/** A size text as it was understood. */
export interface ParsedSize {
  readonly system: SizeSystem
  /** Normalised: `2XL`, `38/40`, `W32 L34`, `3-4 years`, `38 2/3`, `75B`. */
  readonly value: string
  readonly type: SizeType | null
  /** Google's code of the country whose sizes the text names; undefined if it names none. */
  readonly country?: string
  /** Set if the text is only a hint, such as a date that a spreadsheet made of `10-12`. Markets get no such value. */
  readonly isUnsure?: true
}

export type SizeKind = 'clothing' | 'trousers' | 'shoes' | 'socks' | 'hat' | 'bra' | 'belt' | 'gloves' | 'ring' | 'bag'

/** Facts about the garment. A bare `35.5` is a size only for shoes, and `14T` means tall only for women. */
export interface SizeContext {
  readonly wearer?: SizeWearer | undefined
  readonly kind?: SizeKind | undefined
}

export interface Found extends Omit<ParsedSize, 'type'> {
  readonly type?: SizeType | undefined
  /** Set if a word, a country or a unit says that this is a size. */
  readonly isNamed?: true
}

const num = '\\d{1,3}(?:\\.\\d)?(?: ?(?:1/2|1/3|2/3|[13]/4|[1357]/8)(?![\\d/]))?'
export const range = `(${num})(?: ?(?:-|/|&|to|bis|,) ?(${num}))?`
const countryNames = [...countries.keys()]
  .map(escape)
  .sort((a, b) => b.length - a.length)
  .join('|')
// Signs of Chinese and Japanese need no blanks around a size.
const start = '(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{N}&])'
const end = '(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{N}&]|\\.\\d)'

function escape(text: string) {
  return text.replaceAll(/[.+]/g, String.raw`\$&`)
}

export const rule = (source: string) => new RegExp(`${start}(?:${source})${end}`, 'uy')

/** `15 1/2` as `15.5`, `38 2/3` unchanged. */
export function toNumber(text: string): string {
  const [whole = '', fraction] = text.trim().split(/ (?=\d\/)|(?<=\d) (?=\d\/)/)
  return fraction === '1/2' ? `${whole}.5` : fraction === undefined ? whole : `${whole} ${fraction}`
}

export const joinRange = (from: string, to: string | undefined, sign: string) =>
  to === undefined || to === from ? toNumber(from) : `${toNumber(from)}${sign}${toNumber(to)}`

const withUnit = (number: string, unit: string) => `${number} ${unit}${number === '1' ? '' : 's'}`

export const isBetween = (text: string, low: number, high: number) => {
  const value = Number.parseFloat(text)
  return value >= low && value <= high
}

/** Whether two numbers can be the ends of one size, which `0/46` cannot. */
export const isRange = (from: string, to: string | undefined) =>
  to === undefined ||
  (Number.parseFloat(to) > Number.parseFloat(from) && Number.parseFloat(to) <= 1.6 * Number.parseFloat(from) + 4)

/** Whether two numbers can be waist and leg in inches. */
export const isPair = (from: string, to: string) => isBetween(from, 22, 60) && isBetween(to, 24, 40)

/** Body heights that European children's sizes are named after. */
const isHeight = (text: string) => isBetween(text, 44, 188) && /^\d+$/.test(text)

export const isChild = ({ wearer }: SizeContext) => wearer === 'kids' || wearer === 'baby'
export const isFootwear = ({ kind }: SizeContext) => kind === 'shoes' || kind === 'socks'

export const none = (value: string, more: Partial<Found> = {}): Found => ({ system: 'none', value, ...more })

interface Suffix {
  readonly type?: SizeType | undefined
  readonly text?: string
}

/** Meanings of a letter after a number. */
function readSuffix(suffix: string, { wearer }: SizeContext): Suffix {
  if (suffix.startsWith('r')) return { type: 'regular' }
  if (suffix === 's' || suffix === 'p' || suffix === 'short') return { type: 'petite' }
  if (suffix === 'w' && wearer !== 'men') return { type: 'plus' }
  return suffix === '' ? {} : { type: 'tall' }
}

/** A size of a named country. */
export function ofCountry(
  name: string,
  from: string,
  to: string | undefined,
  context: SizeContext,
  suffix = '',
): Found {
  const code = countries.get(name) ?? ''
  const country = code === 'ES' || code === 'RU' || code === 'KR' || code === 'INT' ? {} : { country: code }
  const named = { ...country, isNamed: true } as const
  if (isFootwear(context)) {
    const value = joinRange(from, to, '-') + (/^[cy]$/.test(suffix) ? suffix.toUpperCase() : '')
    if (code === 'US') return { system: 'shoe_us', value, ...named }
    if (code === 'UK' || code === 'AU') return { system: 'shoe_uk', value, ...named }
    if (['EU', 'DE', 'FR', 'IT', 'ES'].includes(code)) return { system: 'shoe_eu', value, ...named }
    return none(value, named)
  }
  const { type } = readSuffix(suffix, context)
  if (code === 'US' && context.kind === 'trousers' && to === undefined && isBetween(from, 24, 60))
    return { system: 'waist_length', value: `W${toNumber(from)}`, type, ...named }
  const value = joinRange(from, to, '/')
  return clothingSystems.has(code)
    ? { system: code as SizeSystem, value, type, ...named }
    : none(value, { type, ...named })
}

/** Numbers without a country. The garment, and words before them, may still tell the scale. */
export function bareNumbers(
  from: string,
  to: string | undefined,
  sign: string,
  context: SizeContext,
): Found | undefined {
  const { wearer, kind = 'clothing' } = context
  const value = joinRange(from, to, '/')
  if (kind === 'bag') return undefined
  if (kind === 'shoes') {
    if (isBetween(from, wearer === 'kids' || wearer === 'baby' ? 15 : 17, 52))
      return { system: 'shoe_eu', value: joinRange(from, to, '-') }
    return none(joinRange(from, to, '-'))
  }
  if (kind === 'socks' && to !== undefined)
    return { system: isBetween(to, 16, 52) ? 'shoe_eu' : 'shoe_us', value: joinRange(from, to, '-') }
  if (kind !== 'clothing' && kind !== 'trousers') return none(value)
  if (isChild(context)) {
    if (isHeight(from) && (to === undefined || isHeight(to)))
      return { system: 'height_cm', value: joinRange(from, to, '-') }
    if (to !== undefined && (sign === '-' || wearer === 'baby') && isBetween(to, 1, 24)) {
      if (wearer === 'baby') return { system: 'age_months', value: `${joinRange(from, to, '-')} months` }
      if (Number(to) - Number(from) === 1) return { system: 'age_years', value: `${from}-${to} years` }
    }
    return none(value)
  }
  if (kind === 'trousers') {
    if (to !== undefined && isPair(from, to) && (wearer !== 'women' || (sign !== '-' && isBetween(from, 22, 33))))
      return waistAndLength(from, to)
    if (to === undefined && isBetween(from, 23, wearer === 'men' ? 43 : 33))
      return { system: 'waist_length', value: `W${toNumber(from)}` }
    if (to !== undefined && isBetween(to, 1, 15) && Number(from) % 2 === 1)
      return { system: 'US', value, country: 'US' }
  }
  if (wearer === 'men' && kind === 'clothing' && toNumber(from).endsWith('.5') && isBetween(from, 13, 20))
    return { system: 'collar_in', value }
  // Sizes further apart are sizes on offer.
  if (to !== undefined && Number(to) - Number(from) > 4) return undefined
  if (wearer === 'women' && to !== undefined && isBetween(from, 30, 60))
    return { system: 'EU', value: isRange(from, to) ? value : toNumber(from), country: 'EU' }
  return none(value)
}

export const letterOrder = [
  '5XS',
  '4XS',
  '3XS',
  'XXS',
  'XS',
  'S',
  'M',
  'L',
  'XL',
  '2XL',
  '3XL',
  '4XL',
  '5XL',
  '6XL',
  '7XL',
  '8XL',
]

/** `XX-Large`, `2 XL` and `xss` as `XXL`, `2XL` and `XXS`; the steps beyond S and L are counted. */
function toLetter(steps: number, base: string): string {
  if (base === 'M' || steps === 0) return base
  if (base === 'S') return steps === 1 ? 'XS' : steps === 2 ? 'XXS' : `${steps}XS`
  return steps === 1 ? 'XL' : `${steps}XL`
}

const times: Readonly<Record<string, number>> = { double: 2, triple: 3, extra: 1, xtra: 1 }

const letterName = [...letterWords.keys()]
  .map(escape)
  .sort((a, b) => b.length - a.length)
  .join('|')
const letter =
  `(?:(\\d)[ -]?x[ -]?|((?:x[ -]?){1,6})|((?:(?:e?xtra|double|triple)[ -]?)+(?:x[ -]?)?))?` +
  `(${letterName}|s{2,3}|l{2,3})`

/** Reads one letter size that `letter` matched. */
export function readLetter([, count, exes, words, name = '']: readonly (string | undefined)[]): string {
  const doubled = /^(s|l)\1+$/.test(name) ? name.length - 1 : 0
  const base = letterWords.get(name) ?? (name.charAt(0).toUpperCase() || 'M')
  const steps =
    doubled +
    (count === undefined ? (exes?.match(/x/g)?.length ?? 0) : Number(count)) +
    (words?.split(/[ -]/).reduce((sum, word) => sum + (word === 'x' ? 1 : (times[word] ?? 0)), 0) ?? 0)
  return toLetter(steps, base)
}

export const letterRule = rule(letter)
const numberedX = rule('([0-9])[ -]?x(?![ -]l)(?:[ -]?t(?:all)?)?')

type Rule = readonly [
  pattern: RegExp,
  read: (match: RegExpExecArray, context: SizeContext) => Found | 'skip' | undefined,
]

const waist = '(?:w|waist|weite|bundweite)'
const leg = '(?:l|length|lange|leg|inside leg|inseam|inleg|schrittlange)'
export const waistAndLength = (from: string, to: string, type?: SizeType): Found => ({
  system: 'waist_length',
  value: `W${toNumber(from)} L${toNumber(to)}`,
  type,
  isNamed: true,
})

/** Rules in order. At each position, the first matching rule reads the text. */
export const rules: readonly Rule[] = [
  [rule('[$€£¥] ?\\d+(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)? ?[$€£¥]|\\d+\\.\\d{2}|\\d{1,3} ?%'), () => 'skip'],
  [rule('\\d+(?:\\.\\d)? ?x ?\\d+(?:\\.\\d)? ?x ?\\d+(?:\\.\\d)? ?(?:cm|mm|in|")?'), () => 'skip'],
  [rule(`${range} ?(?:"|in|inch|inches|cm)? ?(?:${[...measurementWords].join('|')})`), () => 'skip'],
  // Phrases come before single words, because they consist of them.
  [
    rule(
      'runs (?:small|large|big|true)|(?:small|large) fit(?:ting)?|true to size|no size|size unknown|one of a kind|unknown|a-line|see (?:label|photos?|pictures?|measurements)',
    ),
    () => 'skip',
  ],
  [rule(`${waist} ?(\\d{2})"? ?[/x,-]? ?${leg} ?(\\d{2})"?`), ([, from = '', to = '']) => waistAndLength(from, to)],
  [
    rule(`(\\d{2}) ?(?:"|in|inch)? ?(?:w|waist|weite|(r))[ /x,-]*(\\d{2}) ?(?:"|in|inch)? ?${leg}`),
    ([, from = '', regular, to = '']) => waistAndLength(from, to, regular ? 'regular' : undefined),
  ],
  [rule(`(\\d{2}) ?(?:w|/)? ?l ?(\\d{2})`), ([, from = '', to = '']) => waistAndLength(from, to)],
  [
    rule('(\\d{2}) ?(?:"|in)? ?(?:x|(?<=["n] ?)/) ?(\\d{2}) ?(?:"|in)?'),
    ([, from = '', to = '']) => (isPair(from, to) ? waistAndLength(from, to) : undefined),
  ],
  [
    rule('(\\d{2})(?: | ?(r)[ /-]?)(\\d{2})'),
    ([, from = '', regular, to = ''], { kind, wearer }) =>
      kind === 'trousers' && isPair(from, to) && (wearer === 'men' || regular !== undefined)
        ? waistAndLength(from, to, regular ? 'regular' : undefined)
        : undefined,
  ],
  [
    rule('(1[3-9]|20)(\\.5| 1/2)? ?"?(?:[ x/-] ?| x )3\\d(?:/3\\d)?"?'),
    ([, whole = '', half], { wearer, kind = 'clothing' }) =>
      kind === 'clothing' && wearer === 'men'
        ? { system: 'collar_in', value: half ? `${whole}.5` : whole, isNamed: true }
        : undefined,
  ],
  [
    rule(`${waist} ?(\\d{2})"?(?: ?(r|s|l))?|(\\d{2}) ?"?(?:in|inch|inches)? ?waist`),
    ([, after, cut = '', before], { kind, wearer }) =>
      (kind !== undefined && kind !== 'clothing' && kind !== 'trousers') || !isBetween(after ?? before ?? '', 20, 66)
        ? undefined
        : { system: 'waist_length', value: `W${after ?? before}`, isNamed: true, ...readSuffix(cut, { wearer }) },
  ],
  // A Russian size: `48-50 р`.
  [rule(`${range} ?р\\.?`), ([, from = '', to]) => none(joinRange(from, to, '/'), { isNamed: true })],
  [
    rule('(\\d{2}) ?(?:w|"|in|inch|inches)'),
    ([, from = ''], { kind, wearer }) =>
      kind === 'trousers' && (wearer !== 'women' || Number(from) > 22)
        ? { system: 'waist_length', value: `W${from}`, isNamed: true }
        : undefined,
  ],
  [
    rule(
      `(?:collar|neck|hals|kragen|kragenweite|kw|col|cuello|collo|encolure)(?: size)? ?(${num})(?: ?[/-] ?(${num}))? ?(?:"|in|inch|inches|cm)?`,
    ),
    ([, from = '', to]) => ({
      system: isBetween(from, 30, 60) ? 'collar_cm' : 'collar_in',
      value: joinRange(from, to, '/'),
      isNamed: true,
    }),
  ],
  [
    rule(`(${num}) ?(?:"|in|inch|inches)? ?(?:collar|neck)`),
    ([, from = '']) => ({
      system: isBetween(from, 30, 60) ? 'collar_cm' : 'collar_in',
      value: toNumber(from),
      isNamed: true,
    }),
  ],
  [
    rule('(1[3-9]|20)(\\.5| 1/2)? ?(?:"|in|inch|inches)'),
    ([, whole = '', half], { wearer, kind = 'clothing' }) =>
      kind === 'clothing' && !isChild({ wearer })
        ? { system: 'collar_in', value: half ? `${whole}.5` : whole }
        : undefined,
  ],
  [
    rule(`(?:up ?to|bis|jusqua|hasta|fino a) ?(\\d{1,2}) ?(?:${monthUnits})`),
    ([, to = '']) => ({ system: 'age_months', value: `0-${to} months`, isNamed: true }),
  ],
  [
    rule(`(?:ages? |aged )?${range}\\+? ?(?:${monthUnits})`),
    ([all, from = '', to], context) => {
      const isLetter = /\d ?m$/.test(all)
      if (
        (to !== undefined && Number(to) <= Number(from)) ||
        (isLetter && (isFootwear(context) || context.wearer === 'men' || context.wearer === 'women'))
      )
        return undefined
      if (from === '0' && to === undefined) return { system: 'age_months', value: 'Newborn', isNamed: true }
      return isBetween(to ?? from, 0, 48)
        ? { system: 'age_months', value: withUnit(joinRange(from, to, '-'), 'month'), isNamed: true }
        : undefined
    },
  ],
  [
    rule(`(?:ages? |aged )?${range} ?(\\+)? ?(?:${yearUnits}) ?(\\+)?(?: ?old)?`),
    ([all, from = '', to, plusBefore, plus], context) => {
      if (isFootwear(context) && all.endsWith('y')) return undefined
      if (context.wearer === 'women' || context.wearer === 'men') return undefined
      // `85A` is a bra.
      if (/\d ?a$/.test(all) && (context.kind === 'bra' || !isBetween(from, 0, 18))) return undefined
      if (!isBetween(from, 0, 20) || !isRange(from, to)) return undefined
      const value = withUnit(`${joinRange(from, to, '-')}${(plusBefore ?? plus) === undefined ? '' : '+'}`, 'year')
      return { system: 'age_years', value, isNamed: true }
    },
  ],
  [
    rule(`(?:age|aged|ages) ${range}`),
    ([, from = '', to]) => ({ system: 'age_years', value: withUnit(joinRange(from, to, '-'), 'year'), isNamed: true }),
  ],
  [
    rule(`${range} ?(cm|mm)`),
    ([, from = '', to, unit = ''], context) => {
      const { kind = 'clothing', wearer } = context
      if (kind === 'bag') return 'skip'
      if (!isRange(from, to)) return undefined
      if (kind === 'clothing' && wearer !== 'men' && wearer !== 'women' && unit === 'cm' && isHeight(from))
        return { system: 'height_cm', value: joinRange(from, to, '-'), isNamed: true }
      return none(`${joinRange(from, to, '-')} ${unit}`)
    },
  ],
  // Chinese: height, chest and build.
  [
    rule('(?:cn|chn|china) ?(1\\d{2}/\\d{2,3}[abcy]?)|(1\\d{2}/\\d{2,3}[abcy])'),
    ([, named, value = named ?? '']) => none(value.toUpperCase(), { country: 'CN', isNamed: true }),
  ],
  [rule('nouveau ne|recien nacido|new born'), () => ({ system: 'age_months', value: 'Newborn', isNamed: true })],
  // `UK 8.5`, `EU: 38-40`, `UK/US 40R`, `UK child 10`, `IT42`
  ...[range, `(${num})()`].map((numbers): Rule => [
    rule(
      `(${countryNames})(?: ?[/&] ?(?:${countryNames}))?(?:[ :.-]|size|sz|child|kids|mens|womens|men|women|adult|junior|infant|gr(?:osse)?)*${numbers}(?! ?[-/] ?\\d+ ?(?:[my]|ans|jahre)) ?(r|reg|s|l|xl|p|t|w|c|y|k|m|[bdfghn]|e{1,3})?(?! ?(?:years?|yrs?|months?|mn?ths?|mos?|ans|mois|jahre|monate)(?!\\p{L}))`,
    ),
    ([all, name = '', from = '', to, suffix = ''], context) =>
      context.kind === 'bra' ||
      (/^[a-z]$/.test(name) && (context.kind === 'ring' || context.kind === 'bag')) ||
      // `US 3XL`, `US 6M` for a baby, and `UK 34F`, which is a bra.
      (suffix === 'xl' && from.length === 1) ||
      (isChild(context) && /^[my]$/.test(suffix) && !isFootwear(context)) ||
      (/\d[bfghn]$/.test(all) && !isFootwear(context)) ||
      !isRange(from, to || undefined)
        ? undefined
        : ofCountry(name, from, to || undefined, context, suffix.replace(/^(?:[bdfghkmn]|e+)$/, '')),
  ]),
  [
    rule(`${range} ?(r|reg|s|l|p|t|w|c|y|m)?[ -]?(${countryNames})(?: ?/ ?(?:${countryNames}))?`),
    ([, from = '', to, suffix = '', name = ''], context) =>
      // In `42 F` a single letter may be anything.
      context.kind === 'bra' || /^[a-z]$/.test(name) || !isRange(from, to)
        ? undefined
        : ofCountry(name, from, to, context, suffix),
  ],
  [
    rule(
      `(?:(?:eu|eur|uk|us|fr) ?)?(?:(2[6-9]|[3-5]\\d)|(6[05]|[7-9][05]|1[0-2][05]))[ -]?([a-k]{1,3}(?: ?[/&-] ?[a-k]{1,3})+|[a-l]{1,4})`,
    ),
    ([, inches, cm, cup = ''], { kind = 'clothing', wearer }) => {
      const cups = cup.toUpperCase().split(/ ?[/&-] ?/)
      const isCup = cups.every((each) =>
        /^(A{1,3}|B{1,2}|C{1,2}|D{1,5}|E{1,2}|F{1,2}|G{1,2}|H{1,2}|I|J{1,2}|K{1,2}|L{1,2})$/.test(each),
      )
      const isSure = kind === 'bra' || (kind === 'clothing' && wearer !== 'men' && !isChild({ wearer }))
      if (!isCup || !isSure || (kind !== 'bra' && /^[L]$/.test(cup.toUpperCase()))) return undefined
      const country = /([F-L])\1/.test(cup.toUpperCase()) ? { country: 'UK' } : {}
      return { system: 'bra', value: `${inches ?? cm}${cups.join('/')}`, ...country }
    },
  ],
  // Italian and Australian bands.
  [
    rule('(?:it|au|aus|tg\\.?|taglia)? ?(?:([1-7])|(8|1[02468]|2[024])) ?([a-h]{1,2})'),
    ([, italian, australian = '', cup = ''], { kind }) =>
      kind === 'bra'
        ? { system: 'bra', value: `${italian ?? australian}${cup.toUpperCase()}`, country: italian ? 'IT' : 'AU' }
        : undefined,
  ],
  [
    rule('([a-h]{1,2}) ?(6[05]|[7-9][05]|1[01][05])'),
    ([, cup = '', band], { kind = 'clothing', wearer }) =>
      kind === 'bra' || (kind === 'clothing' && wearer === 'women')
        ? { system: 'bra', value: `${band}${cup.toUpperCase()}`, country: 'JP' }
        : undefined,
  ],
  [
    rule('([g-z])( ?(?:1/2|\\.5))?'),
    ([, name = '', half], { kind }) =>
      kind === 'ring'
        ? { system: 'UK', value: `${name.toUpperCase()}${half === undefined ? '' : ' 1/2'}`, country: 'UK' }
        : undefined,
  ],
  [
    rule('([2-7])t'),
    ([, years], { wearer }) =>
      wearer === 'men' || wearer === 'women' ? undefined : { system: 'US', value: `${years}T`, country: 'US' },
  ],
  [
    rule('([4-6])x'),
    ([, years], { wearer }) => (isChild({ wearer }) ? { system: 'US', value: `${years}X`, country: 'US' } : undefined),
  ],
  [
    numberedX,
    ([all, count = ''], { wearer }) =>
      wearer === 'women'
        ? { system: 'letter', value: `${count}X`, type: 'plus' }
        : { system: 'letter', value: toLetter(Number(count), 'L'), type: all.includes('t') ? 'tall' : undefined },
  ],
  [
    rule('(\\d)xt|(\\d)xtl|(\\d)xlt'),
    ([, ...counts]) => ({ system: 'letter', value: toLetter(Number(counts.find(Boolean)), 'L'), type: 'tall' }),
  ],
  [
    rule('(\\d?x{0,5})l[ /-]?t|mt'),
    ([all, exes = '']) => ({
      system: 'letter',
      value: all === 'mt' ? 'M' : readLetter(splitLetter(`${exes}l`)),
      type: 'tall',
    }),
  ],
  [
    rule('(x{0,2}[sl]|m)[ /]?p'),
    ([, name = ''], { wearer }) =>
      wearer === 'women' || wearer === undefined
        ? { system: 'letter', value: readLetter(splitLetter(name)), type: wearer && 'petite' }
        : undefined,
  ],
  [
    rule('p[ /-]?(x{0,2}[sl]|m)'),
    ([, name = ''], { wearer }) =>
      wearer === 'women' ? { system: 'letter', value: readLetter(splitLetter(name)), type: 'petite' } : undefined,
  ],
  [
    rule('y(x?[sl]|m)'),
    ([, name = ''], { wearer }) =>
      wearer === 'men' || wearer === 'women' ? undefined : { system: 'letter', value: readLetter(splitLetter(name)) },
  ],
  [
    rule('(\\d)xl?b|(x{1,4})lb'),
    ([, count, exes = ''], { wearer }) =>
      wearer === 'men'
        ? { system: 'letter', value: toLetter(Number(count ?? exes.length), 'L'), type: 'big_tall' }
        : undefined,
  ],
  [
    rule('(x{0,3}[sl]|m)/r'),
    ([, name = '']) => ({ system: 'letter', value: readLetter(splitLetter(name)), type: 'regular' }),
  ],
  // Shoes of both sexes: `M9`, `W 10.5`.
  [
    rule('(?:us ?)?[mw] ?(\\d{1,2}(?:\\.5)?)'),
    ([, value = ''], { kind }) =>
      kind === 'shoes' && isBetween(value, 3, 16)
        ? { system: 'shoe_us', value, country: 'US', isNamed: true }
        : undefined,
  ],
  [
    rule('cm ?(\\d{2}(?:\\.5)?)'),
    ([, value = ''], { kind }) => (kind === 'shoes' ? none(`${value} cm`, { isNamed: true }) : undefined),
  ],
  [rule('sm'), () => ({ system: 'letter', value: 'S/M' })],
  // Number with the width of a shoe or a cut: `7.5 D`, `3.5Y`, `44R`, `10P`.
  [
    rule(`${range} ?(b|d|e{1,4}|[2-6]e|m|w|ww|n|y|c|k|f|g|h)(?: ?\\(?[mw]\\)?)?`),
    ([, from = '', to, suffix = ''], { kind }) => {
      if (kind !== 'shoes' || !isRange(from, to)) return undefined
      if (isBetween(from, 21, 52)) return { system: 'shoe_eu', value: joinRange(from, to, '-') }
      if (!isBetween(from, 0, 20)) return undefined
      const child = suffix === 'y' || suffix === 'c' ? suffix.toUpperCase() : suffix === 'k' ? 'C' : ''
      return { system: 'shoe_us', value: joinRange(from, to, '-') + child, country: 'US' }
    },
  ],
  [
    rule(`(\\d{1,2}) ?(r|reg|s|l|p|t|w)|(\\d{2}) ?xl`),
    ([, number, letters, wide], context) => {
      const [from, suffix] = [number ?? wide ?? '', letters ?? 'xl']
      const { wearer, kind = 'clothing' } = context
      if (kind === 'trousers' && isBetween(from, 24, 60))
        return { system: 'waist_length', value: `W${from}`, ...readSuffix(suffix, context) }
      if (kind !== 'clothing' && kind !== 'trousers') return undefined
      const type = readSuffix(suffix, context)
      if (wearer === 'women' || (wearer === undefined && suffix === 'w' && isBetween(from, 12, 36)))
        return /^[ptw]/.test(suffix)
          ? { system: 'US', value: from, country: 'US', ...type }
          : { system: 'UK', value: from, country: 'UK', ...type }
      return isBetween(from, 32, 53) && !isChild(context) && suffix !== 'p' && suffix !== 't' && suffix !== 'w'
        ? { system: 'UK', value: from, ...type }
        : none(from, type)
    },
  ],
  [
    rule('i{2,4}|iv|vi{0,3}(?=$)|ix'),
    ([all], context) => (all === 'v' && !isFootwear(context) ? undefined : none(all.toUpperCase())),
  ],
]

const splitLetter = (name: string) => new RegExp(`^${letter}$`, 'u').exec(name) ?? []
