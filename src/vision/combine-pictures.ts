import { rankAttributes, rankClasses } from './attributes/build-tag.ts'
import { type Evidence } from './attributes/catalogue.ts'
import { confidenceOf, rank, type Ranked, scaleRanked } from './rank.ts'
import type { NoteCode, PictureKind } from './scene.ts'
import type { Attribute } from './tagging.ts'
import { isItemType, itemOf, type ItemType, itemTypes } from './taxonomy/item-types.ts'

/** What is concluded from one of the pictures of a garment. */
export interface PictureEvidence extends Pick<Evidence, 'heads' | 'colour'> {
  readonly kind: PictureKind
  /** The probabilities of the tag are multiplied by it. */
  readonly trust: number
  /** Whether it has too little light to tell a colour by. */
  readonly isDark: boolean
}

/** What only the front of a garment shows. One of which nobody says what it shows may be seen from behind. */
const ofFront: readonly string[] = ['Closure', 'Neckline']
const showsFront = ({ kind }: PictureEvidence) => kind === 'front' || kind === 'worn'

/** For all colours in a picture with too little light, so that none is High. */
const darkDoubt = 0.7

/** The likeliest item types in what several pictures show. */
export const rankTypes = (pictures: readonly PictureEvidence[]): Ranked<ItemType> =>
  poolOf(pictures.map(({ heads }) => rankClasses(heads.type, itemTypes)))

/** How likely it is that the client's category names another kind of garment than the picture is about. */
const misnamed = 0.01

/** The kinds that a shop sorts by, and that a person wears one of at a time. */
function kindOf(type: string) {
  if (!isItemType(type)) return undefined
  const { category, build } = itemOf(type)
  return category === 'Shoes' ? category : build
}

/** The item types, those first that are of a kind with one that the client names; as they are if it names none. */
export function preferNamed<T extends string>(types: Ranked<T>, named: readonly ItemType[]): Ranked<T> {
  if (named.length === 0) return types
  const kinds = new Set(named.map(kindOf))
  const weighed = types.map(({ value, probability }) => ({
    value,
    probability: probability * (kinds.has(kindOf(value)) ? 1 : misnamed),
  }))
  const sum = (ranked: Ranked<T>) => ranked.reduce((total, { probability }) => total + probability, 0)
  return scaleRanked(weighed, sum(types) / sum(weighed)).toSorted((a, b) => b.probability - a.probability)
}

/** By name, the values of each attribute: the mean of what the pictures say that can show it. */
export function rankPictures(
  pictures: readonly [PictureEvidence, ...PictureEvidence[]],
  { itemType, attribute }: { readonly itemType: ItemType; readonly attribute: Attribute },
  named: readonly ItemType[] = [],
): Record<string, Ranked> {
  const said = pictures.map((picture) => ({
    picture,
    ranked: rankAttributes({ ...picture, itemType, attribute }),
  }))
  const fronts = said.filter(({ picture }) => showsFront(picture))
  return Object.fromEntries(
    Object.keys(said[0]!.ranked).map((name) => {
      const asked = ofFront.includes(name) && fronts.length > 0 ? fronts : said
      const rankings = asked.map(({ ranked }) => ranked[name] ?? [])
      const values = name === 'Item Type' ? preferNamed(poolOf(rankings), named) : meanOf(rankings)
      const trust = asked.map(({ picture }) => picture.trust * (name === 'Colour' && picture.isDark ? darkDoubt : 1))
      return [name, scaleRanked(values, mean(trust))]
    }),
  )
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** No picture rules a value out alone. */
const minProbability = 0.0005

/**
 * A logarithmic pool (Genest and Zidek 1986) of rankings of the same values, whose exponents sum to 1: pictures of one
 * garment, which mislead alike, are no independent evidence. Alone, rankings stay as they are.
 */
function poolOf<T extends string>(rankings: readonly Ranked<T>[]): Ranked<T> {
  if (rankings.length < 2) return meanOf(rankings)
  const products = new Map<T, number>()
  for (const { value, probability } of rankings.flat()) {
    const power = Math.max(probability, minProbability) ** (1 / rankings.length)
    products.set(value, (products.get(value) ?? 1) * power)
  }
  return rank([...products])
}

/** Alone, values stay as they are. */
function meanOf<T extends string>(rankings: readonly Ranked<T>[]): Ranked<T> {
  const [first = [], ...others] = rankings
  if (others.length === 0) return first
  const sums = new Map<T, number>()
  for (const { value, probability } of rankings.flat()) sums.set(value, (sums.get(value) ?? 0) + probability)
  return [...sums]
    .map(([value, sum]) => ({ value, probability: sum / rankings.length }))
    .sort((a, b) => b.probability - a.probability)
}

/** What the pictures clearly contradict each other in. */
export function contradictions(pictures: readonly PictureEvidence[]): NoteCode[] {
  const clear = (rankings: readonly Ranked[]) =>
    new Set(
      rankings.flatMap(([best]) =>
        best !== undefined && confidenceOf(best.probability) !== 'Low' ? [best.value] : [],
      ),
    )
  const types = clear(pictures.map(({ heads, trust }) => scaleRanked(rankClasses(heads.type, itemTypes), trust)))
  const colours = clear(pictures.filter(({ isDark }) => !isDark).map(({ colour }) => colour.ranked))
  return [
    ...(types.size > 1 ? (['types_differ'] as const) : []),
    ...(colours.size > 1 ? (['colours_differ'] as const) : []),
  ]
}
