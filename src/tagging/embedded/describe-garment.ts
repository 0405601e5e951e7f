import type { Pattern } from '../taxonomy.ts'
import { type ItemType, itemOf } from '../taxonomy.ts'
import type { Ranked } from './rank.ts'

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
  const noun = itemType === 'T-Shirt' ? 'T-shirt' : itemType.toLowerCase()
  const cloth = pattern === 'Plain' ? '' : `${pattern.toLowerCase()} `
  const hue = colour === 'Multi' ? 'multicoloured' : colour.toLowerCase()
  const owner = gender === undefined ? '' : `${gender.toLowerCase()} `
  const thing = `${owner}${cloth}${noun} in ${hue === 'multicoloured' ? 'several colours' : hue}${brand === undefined ? '' : ` by ${brand}`}`
  const first = plural === true ? capital(thing) : `${article(thing)} ${thing}`
  const details = [detailOfFit(findings), detailOfClosure(findings), detailOfFabric(findings)].filter(
    (detail) => detail !== undefined,
  )
  if (details.length === 0) return `${first}.`
  return `${first}. ${plural === true ? 'They have' : 'It has'} ${list(details)}.`
}

function detailOfFit({ fit }: Findings): string | undefined {
  const best = fit[0]
  return best === undefined || best.probability < WORTH_SAYING
    ? undefined
    : `${article(best.value.toLowerCase()).toLowerCase()} ${best.value.toLowerCase()} fit`
}

function detailOfClosure({ closure }: Findings): string | undefined {
  const best = closure[0]
  if (best === undefined || best.probability < WORTH_SAYING) return undefined
  if (best.value === 'Pullover' || best.value === 'Open') return 'no fastening'
  if (best.value === 'Open Front') return 'an open front'
  return `${article(best.value.toLowerCase()).toLowerCase()} ${best.value.toLowerCase()} fastening`
}

function detailOfFabric({ fabric }: Findings): string | undefined {
  const best = fabric[0]
  return best === undefined || best.probability < WORTH_SAYING ? undefined : `the look of ${best.value.toLowerCase()}`
}

function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

function article(word: string): string {
  return /^[aeio]/i.test(word) ? 'An' : 'A'
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
