import { familyOf } from '../../../src/vision/colour/name-colour.ts'
import { createRandom } from '../../../training/flat-lay/random.ts'
import {
  type Answer,
  bootstrap,
  calibrationError,
  chanceError,
  reliability,
  type Share,
  shareOf,
} from '../statistics.ts'
import type { Tagging } from '../../../src/vision/tagging.ts'
import type { Row } from './evaluate-photos.ts'
import type { Photo } from './read-photos.ts'
import { closureLabels, fabricLabels, kinds, noGarments, unscoredTypes } from './mappings.ts'

/** By the contract. */
const minHigh = 0.85

interface AttributeFigures {
  readonly right: Share
  /** Answers called High; and the right ones among them. */
  readonly highShare: Share
  readonly highRight: Share
  /** With that which chance alone brings, see `chanceError`. */
  readonly calibrationError: {
    readonly value: number
    readonly low: number
    readonly high: number
    readonly chance: number
  }
  readonly reliability: ReturnType<typeof reliability>
}

export interface PhotoFigures {
  readonly count: number
  readonly noAnswer: Share
  /** What is no garment; and how many of those not refused have an item type that is called High. */
  readonly refused: { readonly all: Share; readonly high: Share; readonly byKind: Readonly<Record<string, Share>> }
  readonly kind: Share
  /** The right item type is the value or an alternative. */
  readonly among: Share
  readonly attributes: Readonly<Record<string, AttributeFigures>>
  readonly outline: {
    readonly count: number
    readonly mean: number
    /** Pale and striped garments, whose edges are hard to tell from a white ground, or from their own stripes. */
    readonly paleOrStriped: { readonly count: number; readonly mean: number }
    readonly above90: Share
    readonly below50: Share
  }
  readonly shown: {
    /** Worn garments that are recognised as such, with their lines, and others that are taken for worn. */
    readonly wornRecognised: Share
    readonly wornWithLines: Share
    readonly takenForWorn: Share
  }
  readonly byType: Readonly<Record<string, Share>>
  readonly bySender: Readonly<Record<string, Share>>
  readonly confusions: Readonly<Record<string, number>>
}

const kindOf = (type: string) => Object.entries(kinds).find(([, types]) => types.includes(type))?.[0] ?? type

/** For each attribute whether an answer agrees with the label; `undefined` where the label says nothing. */
export const agreesByAttribute: Readonly<
  Record<string, (row: Pick<Row, 'photo'>, value: string) => boolean | undefined>
> = {
  'Item Type': ({ photo }, value) => value === photo.type,
  Colour: ({ photo }, value) =>
    photo.colours.length === 0 ? undefined : photo.colours.includes(familyOf(value) ?? value),
  Pattern: ({ photo }, value) => labelled(photo.pattern, () => value === photo.pattern),
  Closure: ({ photo }, value) => labelled(photo.closure, () => closureLabels[value]?.includes(photo.closure) ?? false),
  Sleeve: ({ photo }, value) => labelled(photo.sleeve, () => value === photo.sleeve),
  Neckline: ({ photo }, value) => labelled(photo.neckline, () => value === photo.neckline),
  'Fabric Type': ({ photo }, value) =>
    labelled(photo.fabric, () => value === photo.fabric || (fabricLabels[value]?.includes(photo.fabric) ?? false)),
  Fit: ({ photo }, value) => labelled(photo.fit, () => value === photo.fit),
}

function labelled(label: string, agrees: () => boolean): boolean | undefined {
  return label === '' || label === '?' ? undefined : agrees()
}

export const isScored = (type: string) => !unscoredTypes.includes(type) && !noGarments.includes(type)

export function isTypeRight({ photo, answer }: Row): boolean {
  return answer?.tag['Item Type'] === photo.type
}

const isPaleOrStriped = ({ photo: { colours, pattern } }: Row) =>
  ['White', 'Beige'].includes(colours[0] ?? '') || pattern === 'Striped'

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** All figures of tagged photographs; a refused one counts as a wrong item type and as nothing for other attributes. */
export function scorePhotos(all: readonly Row[]): PhotoFigures {
  const rows = all.filter(({ photo }) => isScored(photo.type))
  const group = (keyOf: (row: Row) => string) =>
    Object.fromEntries(
      [...Map.groupBy(rows, keyOf)]
        .sort(([, a], [, b]) => b.length - a.length)
        .map(([key, part]) => [key, shareOf(part.map(isTypeRight))]),
    )
  const iousOf = (part: readonly Row[]) => part.flatMap(({ iou }) => (iou === undefined ? [] : [iou]))
  const ious = iousOf(rows)
  const hard = iousOf(rows.filter(isPaleOrStriped))
  return {
    count: rows.length,
    noAnswer: shareOf(rows.map(({ answer }) => answer === undefined)),
    refused: scoreRefused(all.filter(({ photo }) => noGarments.includes(photo.type))),
    kind: shareOf(rows.map(({ photo, answer }) => kindOf(String(answer?.tag['Item Type'])) === kindOf(photo.type))),
    among: shareOf(
      rows.map((row) => isTypeRight(row) || (row.answer?.tag['Item Type Alternatives'] ?? []).includes(row.photo.type)),
    ),
    attributes: Object.fromEntries(Object.keys(agreesByAttribute).map((name) => [name, scoreAttribute(rows, name)])),
    outline: {
      count: ious.length,
      mean: mean(ious),
      paleOrStriped: { count: hard.length, mean: mean(hard) },
      above90: shareOf(ious.map((iou) => iou > 0.9)),
      below50: shareOf(ious.map((iou) => iou < 0.5)),
    },
    shown: scoreShown(rows),
    byType: group(({ photo }) => photo.type),
    bySender: group(({ photo }) => photo.sender),
    confusions: countConfusions(rows),
  }
}

/** Returns the share of photographs with the same item type in two evaluations, or that are refused in both. */
export function shareOfSameTypes(first: readonly Row[], second: readonly Row[]): Share {
  return shareOf(first.map(({ answer }, at) => answer?.tag['Item Type'] === second[at]?.answer?.tag['Item Type']))
}

function scoreRefused(rows: readonly Row[]): PhotoFigures['refused'] {
  const share = (part: readonly Row[]) => shareOf(part.map(({ answer }) => answer === undefined))
  return {
    all: share(rows),
    high: shareOf(rows.map(({ answer }) => (answer?.ranked['Item Type']?.[0]?.probability ?? 0) >= minHigh)),
    byKind: Object.fromEntries(
      [...Map.groupBy(rows, ({ photo }) => photo.type)].map(([kind, part]) => [kind, share(part)]),
    ),
  }
}

function scoreShown(rows: readonly Row[]): PhotoFigures['shown'] {
  const answered = rows.flatMap(({ photo, answer }) => (answer === undefined ? [] : [{ photo, answer }]))
  const worn = answered.filter(({ photo }) => photo.shown === 'Worn' || photo.shown === 'Back')
  const others = answered.filter(({ photo }) => photo.shown === 'Flat' || photo.shown === 'Hanging')
  return {
    wornRecognised: shareOf(worn.map(({ answer }) => answer.shown === 'worn' || answer.shown === 'back')),
    wornWithLines: shareOf(worn.map(({ answer }) => answer.lines.length > 0)),
    takenForWorn: shareOf(others.map(({ answer }) => answer.shown === 'worn')),
  }
}

/** A missing key (no sleeve on trousers) is right where the label has none, and wrong where it has one. */
export function scoreAttribute(
  rows: readonly { readonly photo: Photo; readonly answer: Pick<Tagging, 'ranked'> | undefined }[],
  name: string,
): AttributeFigures {
  const answers: Answer[] = rows.flatMap((row) => {
    const best = row.answer?.ranked[name]?.[0]
    const right = agreesByAttribute[name]?.(row, best?.value ?? '')
    if (right === undefined || (row.answer === undefined && name !== 'Item Type')) return []
    return [{ probability: best?.probability ?? 0, right }]
  })
  const high = answers.filter(({ probability }) => probability >= minHigh)
  const { next } = createRandom(name.length)
  return {
    right: shareOf(answers.map(({ right }) => right)),
    highShare: shareOf(answers.map(({ probability }) => probability >= minHigh)),
    highRight: shareOf(high.map(({ right }) => right)),
    calibrationError: {
      value: calibrationError(answers),
      ...bootstrap(answers, calibrationError, next),
      chance: chanceError(answers, next),
    },
    reliability: reliability(answers),
  }
}

function countConfusions(rows: readonly Row[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows.filter((candidate) => !isTypeRight(candidate))) {
    const key = `${row.photo.type} taken for ${String(row.answer?.tag['Item Type'] ?? 'nothing')}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a))
}
