import { z } from 'zod'
import { getGarment } from '../garment/get-garment.ts'
import { attributeSchema } from '../garment/fields.ts'
import { sortedJson } from '../garment/upload-garment.ts'
import {
  garmentVersion,
  hasPicture,
  matchesVersion,
  machineResult,
  type GarmentRow,
} from '../garment/to-garment-response.ts'
import { readChild } from '../listing/child-height.ts'
import { toProblems } from '../http/validation/to-problems.ts'
import type { Attribute } from '../vision/tagging.ts'
import { correctableGarment } from './describe-failed.ts'
import { garmentChanged, invalidCorrection, staleGarment } from './errors.ts'
import { correctedItemType, itemTypeOf } from './rules/apply-corrections.ts'
import { addChange, describeChanges } from './rules/attribute-changes.ts'
import { mergeAttribute, needsTagging, supplyAttribute, type AttributePatch } from './rules/change-attribute.ts'
import { correctionProblems, type CorrectionPatch } from './rules/check-corrections.ts'
import {
  drawsOtherLines,
  formatCorrections,
  parseCorrections,
  type Authorship,
  type Corrector,
} from './rules/correction.ts'
import { describeCorrected } from './rules/describe-corrected.ts'
import { mergeCorrections } from './rules/merge-corrections.ts'
import { storeCorrection, type CorrectionDeps } from './store-correction.ts'

/** Concurrent corrections of one garment are rare, so this many conflicts in a row do not happen. */
const maxTries = 5

interface Correction {
  readonly uuid: string
  readonly patch: CorrectionPatch & {
    readonly attribute?: AttributePatch | ((current: Readonly<Record<string, string>>) => AttributePatch)
  }
  readonly by: Corrector
  /** An `If-Match` header: the versions of the garment that may be changed. */
  readonly ifMatch?: string | undefined
  /** Of a file that changes many: these have one entry in the audit log, and are tagged again after all that wait. */
  readonly isOfFile?: boolean
}

/**
 * Corrects or confirms values of a complete garment, describes one that failed, and changes what the client supplied.
 * Returns the changed garment. The predicted values are kept. If the tagger uses what was changed, such as the item
 * type, the picture is tagged again in the background. Throws 404, 412 if its version is none of `ifMatch`, 409 while
 * the garment has not ended, and 400 that names each wrong key.
 */
export async function correctGarment(
  deps: CorrectionDeps,
  tenantId: string,
  { uuid, patch, by, ifMatch, isOfFile = false }: Correction,
  nowMs: number,
): Promise<GarmentRow> {
  for (let tries = 0; tries < maxTries; tries++) {
    const stored = await getGarment(deps.db, tenantId, uuid)
    if (ifMatch !== undefined && !matchesVersion(ifMatch, await garmentVersion(stored))) throw staleGarment()
    const garment = correctableGarment(stored, patch)
    const { needsRun, summary, ...changed } = changeAttribute(garment, patch.attribute ?? {}, { by, at: nowMs })
    const corrections = correctionsAfter({ ...garment, ...changed }, patch, { by, at: nowMs })
    const content = { ...changed, corrections }
    const isLogged = !isOfFile && summary !== ''
    const logged = isLogged ? { by, subject: `${uuid}: ${summary}` } : undefined
    const isRetagged = hasPicture(garment) && (needsRun || drawsOther(garment, corrections))
    const retag = isRetagged ? (isOfFile ? 'last' : 'first') : undefined
    const isSame = corrections === garment.corrections && content.attribute === garment.attribute
    if (isSame || (await storeCorrection(deps, garment, { ...content, retag, logged }, nowMs)))
      return { ...garment, ...content, status: 'complete' }
  }
  throw garmentChanged()
}

/** Whether the annotated picture shows the garment as another type, or other lines, after a correction. */
function drawsOther(garment: GarmentRow, corrections: string | null): boolean {
  const typeAfter = (stored: string | null) => correctedItemType(machineResult(garment), parseCorrections(stored))
  return typeAfter(corrections) !== typeAfter(garment.corrections) || drawsOtherLines(garment.corrections, corrections)
}

const contentSchema = z.object({ attribute: attributeSchema })

function changeAttribute(garment: GarmentRow, given: NonNullable<Correction['patch']['attribute']>, made: Authorship) {
  const before = attributeSchema.parse(JSON.parse(garment.attribute))
  const patch = typeof given === 'function' ? given(before) : given
  const after = mergeAttribute(before, patch)
  const checked = contentSchema.safeParse({ attribute: after })
  if (!checked.success) throw invalidCorrection(toProblems(checked.error))
  const attribute = sortedJson(after)
  const { tag, description, attributeChanges } = garment
  if (attribute === garment.attribute)
    return { attribute, tag, description, attributeChanges, needsRun: false, summary: '' }
  const machine = machineResult(garment)
  const supplied = supplyAttribute(machine, after)
  return {
    attribute,
    tag: supplied,
    description: describeCorrected(supplied, itemTypeOf(machine)) ?? description,
    attributeChanges: addChange(attributeChanges, [before, after], made),
    summary: describeChanges(before, after),
    // A run in progress has read the former ones.
    needsRun: needsTagging(before, after) || isOtherChild(before, after) || garment.dueAt !== null,
  }
}

/** Without another source of scale, the scale of a child's garment follows from its size. */
const isOtherChild = (before: Attribute, after: Attribute) =>
  JSON.stringify(readChild(before)) !== JSON.stringify(readChild(after))

function correctionsAfter(garment: GarmentRow, patch: CorrectionPatch, made: Authorship) {
  const machine = machineResult(garment)
  const current = parseCorrections(garment.corrections)
  const problems = correctionProblems(machine, current, patch)
  if (problems.length > 0) throw invalidCorrection(problems)
  return formatCorrections(mergeCorrections(machine, current, patch, made))
}
