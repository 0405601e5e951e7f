import { boundText } from '../bounds/bound-text.ts'
import { ApiError } from '../http/errors.ts'
import type { Attribute } from '../vision/tagging.ts'
import { inSpellingOf } from './attribute-names.ts'
import { correctGarment } from './correct-garment.ts'
import type { AttributePatch } from './rules/change-attribute.ts'
import type { Corrector } from './rules/correction.ts'
import type { CorrectionDeps } from './store-correction.ts'

/** As long as the problem of an import's line may be. */
const maxProblemLength = 500

interface Edit {
  readonly uuid: string
  /** The values that the garment is to have, null for those that it is to lose; it keeps its others. */
  readonly attribute: AttributePatch
  readonly by: Corrector
  readonly isOfFile: boolean
}

/**
 * Changes the attributes of one of many garments. Returns the problem of a garment that cannot be changed, so that the
 * others still are; empty if there is none.
 */
export async function editGarment(
  deps: CorrectionDeps,
  tenantId: string,
  { uuid, attribute, by, isOfFile }: Edit,
  nowMs: number,
): Promise<string> {
  const patch = { tag: {}, measurements: {}, attribute: (current: Attribute) => inSpellingOf(current, attribute) }
  try {
    await correctGarment(deps, tenantId, { uuid, patch, by, isOfFile }, nowMs)
    return ''
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return boundText(error.problems.join('; ') || error.message, maxProblemLength)
  }
}
