import { type ItemType, itemOf } from '../taxonomy/item-types.ts'
import type { Pattern } from '../taxonomy/values.ts'
import type { Ranked } from '../rank.ts'

export interface Findings {
  readonly itemType: ItemType
  readonly colour: string
  readonly pattern: Pattern
  readonly fit: Ranked
  readonly closure: Ranked
  readonly fabric: Ranked
  readonly gender: string | undefined
  readonly brand: string | undefined
}

/** Below this a finding is a guess, and a sentence would make a claim of it. */
const WORTH_SAYING = 0.6

/** One or two sentences that say what the tags say and leave out what they doubt. */
export function describeGarment(findings: Findings): string {
  const { itemType, colour, pattern, gender, brand } = findings
  const { plural } = itemOf(itemType)
  const cloth = pattern === 'Plain' ? '' : `${pattern.toLowerCase()} `
  const hue = colour === 'Multi' ? 'several colours' : colour.toLowerCase()
  const owner = gender === undefined ? '' : `${gender.toLowerCase()} `
  const thing = `${owner}${cloth}${spoken(itemType)} in ${hue}${brand === undefined ? '' : ` by ${brand}`}`
  const first = capital(plural === true ? thing : withArticle(thing))
  const details = [detailOfFit(findings), detailOfClosure(findings), detailOfFabric(findings)].filter(
    (detail) => detail !== undefined,
  )
  if (details.length === 0) return `${first}.`
  return `${first}. ${plural === true ? 'They have' : 'It has'} ${list(details)}.`
}

function detailOfFit({ fit }: Findings): string | undefined {
  const best = fit[0]
  return best === undefined || best.probability < WORTH_SAYING ? undefined : `${withArticle(spoken(best.value))} fit`
}

function detailOfClosure({ closure }: Findings): string | undefined {
  const best = closure[0]
  if (best === undefined || best.probability < WORTH_SAYING) return undefined
  if (best.value === 'Pullover' || best.value === 'Open') return 'no fastening'
  if (best.value === 'Open Front') return 'an open front'
  return `${withArticle(spoken(best.value))} fastening`
}

function detailOfFabric({ fabric }: Findings): string | undefined {
  const best = fabric[0]
  return best === undefined || best.probability < WORTH_SAYING ? undefined : `the look of ${best.value.toLowerCase()}`
}

function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** In lower case, but for a letter that stands for a shape: T-shirt, A-line. */
function spoken(value: string): string {
  return value.toLowerCase().replace(/^[a-z](?=-)/, (letter) => letter.toUpperCase())
}

function withArticle(words: string): string {
  return `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
