import type { Ranked } from '../rank.ts'
import { type ItemType, itemOf } from '../taxonomy/item-types.ts'

export interface Findings {
  readonly itemType: ItemType
  /** By the tag's keys. */
  readonly ranked: Readonly<Record<string, Ranked>>
  readonly gender: string | undefined
  readonly brand: string | undefined
}

/** A value less probable than this is a guess and is not put into a sentence. */
const worthSaying = 0.6

/** One or two sentences that say what the tags say and leave out what is doubtful. */
export function describeGarment({ itemType, ranked, gender, brand }: Findings): string {
  const { plural } = itemOf(itemType)
  const value = (name: string) => ranked[name]?.[0]?.value
  const likely = (name: string) => {
    const best = ranked[name]?.[0]
    return best === undefined || best.probability < worthSaying ? undefined : best.value
  }
  const words = [gender?.toLowerCase(), patternOf(likely('Pattern')), spoken(itemType), colourOf(value('Colour'))]
  const thing = [...words, brand === undefined ? undefined : `by ${brand}`]
    .filter((word) => word !== undefined)
    .join(' ')
  const first = capitalise(plural === true ? thing : withArticle(thing))
  const details = [fitOf(likely('Fit')), closureOf(likely('Closure')), fabricOf(likely('Fabric Type'))].filter(
    (detail) => detail !== undefined,
  )
  if (details.length === 0) return `${first}.`
  return `${first}. ${plural === true ? 'They have' : 'It has'} ${list(details)}.`
}

function patternOf(pattern: string | undefined): string | undefined {
  return pattern === 'Plain' ? undefined : pattern?.toLowerCase()
}

function colourOf(colour: string | undefined): string | undefined {
  return colour === 'Multi' ? 'in several colours' : colour === undefined ? undefined : `in ${colour.toLowerCase()}`
}

function fitOf(fit: string | undefined): string | undefined {
  return fit === undefined ? undefined : `${withArticle(spoken(fit))} fit`
}

function closureOf(closure: string | undefined): string | undefined {
  if (closure === undefined) return undefined
  if (closure === 'Pullover' || closure === 'Open' || closure === 'Slip-On') return 'no fastening'
  if (closure === 'Open Front') return 'an open front'
  return `${withArticle(spoken(closure))} fastening`
}

function fabricOf(fabric: string | undefined): string | undefined {
  return fabric === undefined ? undefined : `the look of ${fabric.toLowerCase()}`
}

function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** In lower case, except a letter that stands for a shape: T-shirt, A-line. */
function spoken(value: string): string {
  return value.toLowerCase().replace(/^[a-z](?=-)/, (letter) => letter.toUpperCase())
}

function withArticle(words: string): string {
  return `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
