import { z } from 'zod'
import { correctorSchema, type Authorship } from './correction.ts'
import type { Attribute } from '../../vision/tagging.ts'

const changeSchema = z.object({
  at: z.int(),
  by: correctorSchema,
  /** The former values of the changed attributes; null for one that the garment did not have. */
  before: z.record(z.string(), z.string().nullable()),
  /** Further changed attributes, whose former values were too long to be kept. */
  omitted: z.array(z.string()).optional(),
})

/** One change of the client's attributes. Several may change at once. */
export type AttributeChange = z.infer<typeof changeSchema>

/** Of a garment's history, in characters. The oldest changes go first. */
const maxLength = 2000

/** Of the change itself without its former values, and with room for names. */
const spareLength = 600
const maxOmitted = 5

/** Oldest first; `stored` is the garment's column, null if nothing was changed. */
export const parseChanges = (stored: string | null): readonly AttributeChange[] =>
  stored === null ? [] : z.array(changeSchema).parse(JSON.parse(stored))

/** The names whose values differ. */
const changedNames = (before: Attribute, after: Attribute): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name])

/** The garment's column with one more change. */
export function addChange(
  stored: string | null,
  [attribute, next]: readonly [Attribute, Attribute],
  made: Authorship,
): string {
  const former = changedNames(attribute, next).map((name) => [name, attribute[name] ?? null] as const)
  const lengthOf = ([name, value]: (typeof former)[number]) => JSON.stringify([name, value]).length
  const kept: typeof former = []
  let room = maxLength - spareLength
  for (const each of former.toSorted((a, b) => lengthOf(a) - lengthOf(b))) {
    room -= lengthOf(each)
    if (room >= 0) kept.push(each)
  }
  const omitted = former.filter((each) => !kept.includes(each)).map(([name]) => name)
  const before = Object.fromEntries(kept)
  const change = { ...made, before, ...(omitted.length > 0 && { omitted: omitted.slice(0, maxOmitted) }) }
  const changes = [...parseChanges(stored), change]
  while (changes.length > 1 && JSON.stringify(changes).length > maxLength) changes.shift()
  return JSON.stringify(changes)
}

/** `Price: 10 → 12`; null is for a garment that has no such value. */
export function describeChange(name: string, before: string | number | null, after: string | number | null): string {
  if (after === null) return `${name}: ${before ?? ''}, removed`
  return before === null ? `${name}: ${after}, added` : `${name}: ${before} → ${after}`
}

/** All changes of one garment at one time, for people. */
export const describeChanges = (before: Attribute, after: Attribute): string =>
  changedNames(before, after)
    .map((name) => describeChange(name, before[name] ?? null, after[name] ?? null))
    .join('; ')
