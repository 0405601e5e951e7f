import { valueOf } from '../../platform/value-of.ts'
import { isToBeTagged } from '../turns.ts'
import { z } from 'zod'
import { type GarmentRow, garmentVersion, getGarment, hasPicture, machineResult, matchesVersion } from '../garment.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { attributeSchema, parseAttribute } from '../garment-fields.ts'
import {
  addChange,
  type AttributePatch,
  describeChange,
  describeChanges,
  mergeAttribute,
  needsTagging,
  parseChanges,
} from './attributes.ts'
import { type CorrectionPatch, correctionProblems, mergeCorrections } from './check-corrections.ts'
import { sortedJson } from '../upload-garment.ts'
import { misplacedSale, parseListingValues, plainKey, readChild, stageOf, updateSale } from '../listing-values.ts'
import { toProblems } from '../../platform/http/validation.ts'
import type { Attribute } from '../../vision/tagging.ts'
import { correctedItemType } from './apply-corrections.ts'
import {
  type ChangeAuthorship,
  type Corrections,
  type Corrector,
  formatCorrections,
  parseCorrections,
} from './correction.ts'
import { type CorrectionDeps, storeCorrection } from './store-correction.ts'
import type { Database } from '../../platform/db/database.ts'

export const invalidCorrection = (problems: readonly string[]) =>
  new ApiError('invalid_body', 'Invalid correction', problems)

export const garmentNotComplete = (status: GarmentRow['status']) =>
  new ApiError('garment_not_complete', 'Garment not complete', [
    status === 'failed'
      ? 'uuid: this garment failed; give tag.Item Type and tag.Colour to describe it by hand'
      : `uuid: only a complete garment can be corrected; this one is ${status}`,
  ])

/** A failed garment needs a type and a colour. Throws 409 for any other garment that is not complete. */
function correctableGarment(garment: GarmentRow, { tag }: CorrectionPatch): GarmentRow {
  if (garment.status === 'complete') return garment
  if (garment.status !== 'failed' || typeof tag['Item Type'] !== 'string') throw garmentNotComplete(garment.status)
  if (typeof tag['Colour'] !== 'string')
    throw invalidCorrection(['tag.Colour: must be given, to describe a failed garment by hand'])
  return garment
}

/** More conflicts in a row are unlikely, because people rarely change the same garment at once. */
const maxTries = 5

interface Changing {
  readonly uuid: string
  readonly ifMatch?: string | undefined
}

/** Calls `change` again if it returns undefined, because the garment has changed since it was read. */
export async function changeGarment<T>(
  db: Database,
  tenantId: string,
  { uuid, ifMatch }: Changing,
  change: (garment: GarmentRow) => Promise<T | undefined>,
): Promise<T> {
  for (let tries = 0; tries < maxTries; tries++) {
    const garment = await getGarment(db, tenantId, uuid)
    if (ifMatch !== undefined && !matchesVersion(ifMatch, garmentVersion(garment)))
      throw new ApiError('precondition_failed')
    const changed = await change(garment)
    if (changed !== undefined) return changed
  }
  throw new ApiError('garment_changed')
}

type Patch = CorrectionPatch & {
  readonly attribute?: AttributePatch | ((current: Readonly<Record<string, string>>) => AttributePatch)
}

interface CorrectionRequest extends Changing {
  readonly patch: Patch | ((garment: GarmentRow) => Patch)
  readonly by: Corrector
  /** The import that makes the change. Its garments are tagged after all waiting ones. */
  readonly importId?: string
  readonly isReview?: boolean
}

/**
 * Corrects or confirms values of a complete garment, or describes a failed one. Predicted values stay.
 * If the tagger uses a changed value, the garment is tagged again. Throws 404, 412 if `ifMatch` does not match, 409
 * while the garment has not ended, and 400 with a problem for each invalid key.
 */
export async function correctGarment(
  deps: CorrectionDeps,
  tenantId: string,
  { uuid, patch: requested, by, ifMatch, importId, isReview = false }: CorrectionRequest,
  nowMs: number,
): Promise<GarmentRow> {
  const authorship = { by, at: nowMs, ...(importId !== undefined && { importId }) }
  return await changeGarment(deps.db, tenantId, { uuid, ifMatch }, async (stored) => {
    const patch = typeof requested === 'function' ? requested(stored) : requested
    const garment = correctableGarment(stored, patch)
    const { needsRun, summary, ...changed } = changeAttribute(garment, patch.attribute ?? {}, authorship)
    const corrections = correctionsAfter({ ...garment, ...changed }, patch, authorship)
    const content = { ...changed, corrections }
    const description = describeCorrections(parseCorrections(garment.corrections), parseCorrections(corrections))
    const texts = importId !== undefined ? [] : [summary, description].filter((text) => text !== '')
    const action = summary === '' ? 'garment.corrected' : 'garment.changed'
    const logged = texts.length > 0 ? ({ by, action, subject: `${uuid}: ${texts.join('; ')}` } as const) : undefined
    const stage = (row: Pick<GarmentRow, 'attribute'>) => stageOf(parseAttribute(row.attribute))
    const hasNewStage = stage(content) !== stage(garment)
    // A run in progress may have read the former values.
    const isRetagged = isToBeTagged(garment) || (hasPicture(garment) && (needsRun || hasNewType(garment, corrections)))
    const retag = isRetagged ? (importId === undefined ? 'first' : 'last') : undefined
    const isSame = corrections === garment.corrections && content.attribute === garment.attribute
    if (isSame || (await storeCorrection(deps, garment, { ...content, retag, logged, isReview, hasNewStage }, nowMs)))
      return { ...garment, ...content, status: 'complete' }
    return undefined
  })
}

/** Describes values that a person changed or removed, such as `Colour: Navy → Black`. Confirmations are left out. */
function describeCorrections(before: Corrections, after: Corrections): string {
  const changes = (['tag', 'measurements'] as const).flatMap((part) =>
    [...new Set([...Object.keys(before[part]), ...Object.keys(after[part])])].flatMap((name) => {
      const [old, current] = [before[part][name], after[part][name]]
      const [from, to] = [old?.value ?? current?.machine ?? null, current?.value ?? old?.machine ?? null]
      return from === to ? [] : [describeChange(name, from, to)]
    }),
  )
  const lines = [...new Set([...Object.keys(before.lines), ...Object.keys(after.lines)])].filter(
    (name) => before.lines[name]?.at !== after.lines[name]?.at,
  )
  return [...changes, ...lines.map((name) => `line ${name}`)].join('; ')
}

function hasNewType(garment: GarmentRow, corrections: string | null): boolean {
  const typeAfter = (stored: string | null) => correctedItemType(machineResult(garment), parseCorrections(stored))
  return typeAfter(corrections) !== typeAfter(garment.corrections)
}

const contentSchema = z.object({ attribute: attributeSchema })

function changeAttribute(
  garment: GarmentRow,
  requested: NonNullable<Patch['attribute']>,
  authorship: ChangeAuthorship,
) {
  const before = parseAttribute(garment.attribute)
  const patch = typeof requested === 'function' ? requested(before) : requested
  const spelled = Object.keys(before).find((name) => plainKey(name) === 'currency')
  const { values, problems } = parseListingValues(patch, spelled)
  const merged = mergeAttribute(before, values)
  const after = updateSale(before, merged, authorship.at)
  const checked = contentSchema.safeParse({ attribute: after })
  const valueProblems = [
    ...[...problems].map(([name, text]) => `attribute.${name}: ${text}`),
    ...misplacedSale(merged, values).map((name) => `attribute.${name}: needs the stage sold`),
  ]
  if (!checked.success) throw invalidCorrection([...toProblems(checked.error), ...valueProblems])
  if (valueProblems.length > 0) throw invalidCorrection(valueProblems)
  const attribute = sortedJson(after)
  const { attributeChanges } = garment
  if (attribute === garment.attribute) return { attribute, attributeChanges, needsRun: false, summary: '' }
  return {
    attribute,
    attributeChanges: addChange(attributeChanges, [before, after], authorship),
    summary: describeChanges(before, after),
    needsRun: needsTagging(before, after) || isOtherChild(before, after),
  }
}

/** Returns whether the size changed that gives a child's garment its scale. */
const isOtherChild = (before: Attribute, after: Attribute) =>
  JSON.stringify(readChild(before)) !== JSON.stringify(readChild(after))

function correctionsAfter(garment: GarmentRow, patch: CorrectionPatch, authorship: ChangeAuthorship) {
  const machine = machineResult(garment)
  const current = parseCorrections(garment.corrections)
  const problems = correctionProblems(machine, current, patch)
  if (problems.length > 0) throw invalidCorrection(problems)
  return formatCorrections(mergeCorrections(machine, current, patch, authorship))
}

interface Undone {
  readonly uuid: string
  readonly name: string
  readonly at: number
  readonly by: Corrector
}

/** Throws 409 if the attribute has changed since, and otherwise like `correctGarment`. */
export async function undoAttribute(
  deps: CorrectionDeps,
  tenantId: string,
  { uuid, name, at, by }: Undone,
  nowMs: number,
): Promise<void> {
  const { attribute, attributeChanges } = await getGarment(deps.db, tenantId, uuid)
  const latest = parseChanges(attributeChanges).findLast(({ before }) => Object.hasOwn(before, name))
  if (latest?.at !== at) throw new ApiError('garment_changed')
  const shown = valueOf(parseAttribute(attribute), name)
  const former = valueOf(latest.before, name) ?? null
  const patch = {
    tag: {},
    measurements: {},
    attribute(current: Readonly<Record<string, string>>) {
      if (valueOf(current, name) !== shown) throw new ApiError('garment_changed')
      return { [name]: former }
    },
  }
  await correctGarment(deps, tenantId, { uuid, patch, by }, nowMs)
}
