import { rankAttributes, rankClasses } from './attributes/build-tag.ts'
import { type Evidence } from './attributes/attribute-catalogue.ts'
import { confidenceOf, rank, type Ranked, scaleRanked } from './rank.ts'
import { type NoteCode, type PictureKind, probabilityWorn } from './scene.ts'
import type { Attribute } from './tagging.ts'
import { isItemType, itemOf, type ItemType, itemTypes } from './taxonomy/item-types.ts'

export interface PictureEvidence extends Pick<Evidence, 'heads' | 'colour'> {
  readonly kind: PictureKind
  readonly trust: number
  readonly isDark: boolean
}

/** Attributes that only the front shows. A picture of unknown kind may show the back. */
const frontAttributes: readonly string[] = ['Closure', 'Neckline']
const showsFront = ({ kind }: PictureEvidence) => kind === 'front' || kind === 'worn'

/** Factor for all colours of a dark picture, so that none is High. */
const darkDoubt = 0.7

/** Factor for all values of a worn garment except its type, because the person wears other garments too. */
const wornDoubt = 0.95

export const rankTypes = (pictures: readonly PictureEvidence[]): Ranked<ItemType> =>
  poolRankings(pictures.map(({ heads }) => rankClasses(heads.type, itemTypes)))

/** Probability that the client's category names another kind of garment. */
const misnamedProbability = 0.01

/** Returns the kind by which a shop sorts. A person wears one garment of each kind. */
function kindOf(type: string) {
  if (!isItemType(type)) return undefined
  const { category, build } = itemOf(type)
  return category === 'Shoes' ? category : build
}

/** Ranks item types of the kinds that the client named first. Returns `types` unchanged if there are no such types. */
export function preferNamed<T extends string>(types: Ranked<T>, named: readonly ItemType[]): Ranked<T> {
  if (named.length === 0) return types
  const kinds = new Set(named.map(kindOf))
  const weighed = types.map(({ value, probability }) => ({
    value,
    probability: probability * (kinds.has(kindOf(value)) ? 1 : misnamedProbability),
  }))
  const sum = (ranked: Ranked<T>) => ranked.reduce((total, { probability }) => total + probability, 0)
  return scaleRanked(weighed, sum(types) / sum(weighed)).toSorted((a, b) => b.probability - a.probability)
}

export function rankPictures(
  pictures: readonly [PictureEvidence, ...PictureEvidence[]],
  { itemType, attribute }: { readonly itemType: ItemType; readonly attribute: Attribute },
  named: readonly ItemType[] = [],
): Record<string, Ranked> {
  const perPicture = pictures.map((picture) => ({
    picture,
    ranked: rankAttributes({ ...picture, itemType, attribute }),
  }))
  const fronts = perPicture.filter(({ picture }) => showsFront(picture))
  return Object.fromEntries(
    Object.keys(perPicture[0]!.ranked).map((name) => {
      const chosen = frontAttributes.includes(name) && fronts.length > 0 ? fronts : perPicture
      const rankings = chosen.map(({ ranked }) => ranked[name] ?? [])
      const values = name === 'Item Type' ? preferNamed(poolRankings(rankings), named) : averageRankings(rankings)
      return [name, scaleRanked(values, mean(chosen.map(({ picture }) => trustIn(name, picture))))]
    }),
  )
}

function trustIn(name: string, { trust, isDark, heads }: PictureEvidence): number {
  if (name === 'Item Type') return trust
  const worn = 1 - (1 - wornDoubt) * probabilityWorn(heads.shown)
  return trust * worn * (name === 'Colour' && isDark ? darkDoubt : 1)
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Keeps a single picture from ruling a value out. */
const minProbability = 0.0005

/**
 * Combines rankings by a logarithmic opinion pool (Genest and Zidek 1986). The exponents sum to 1, because pictures of
 * one garment tend to err together.
 */
function poolRankings<T extends string>(rankings: readonly Ranked<T>[]): Ranked<T> {
  if (rankings.length < 2) return averageRankings(rankings)
  const products = new Map<T, number>()
  for (const { value, probability } of rankings.flat()) {
    const power = Math.max(probability, minProbability) ** (1 / rankings.length)
    products.set(value, (products.get(value) ?? 1) * power)
  }
  return rank([...products])
}

function averageRankings<T extends string>(rankings: readonly Ranked<T>[]): Ranked<T> {
  const [first = [], ...others] = rankings
  if (others.length === 0) return first
  const sums = new Map<T, number>()
  for (const { value, probability } of rankings.flat()) sums.set(value, (sums.get(value) ?? 0) + probability)
  return [...sums]
    .map(([value, sum]) => ({ value, probability: sum / rankings.length }))
    .sort((a, b) => b.probability - a.probability)
}

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
