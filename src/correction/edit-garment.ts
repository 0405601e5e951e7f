import { boundText } from '../bounds/bound-text.ts'
import { knownAttributes } from '../garment/fields.ts'
import { plainKey } from '../garment/plain-key.ts'
import { ApiError } from '../http/errors.ts'
import { correctGarment } from './correct-garment.ts'
import type { Corrector } from './rules/correction.ts'
import type { CorrectionDeps } from './store-correction.ts'

/** As long as the problem of an import's line may be. */
const maxProblemLength = 500

type Attribute = Readonly<Record<string, string>>

interface Edit {
  readonly uuid: string
  /** The new values. The garment keeps its others. */
  readonly attribute: Attribute
  readonly by: Corrector
  /** False if the audit log has one entry for many garments. */
  readonly isLogged: boolean
}

/**
 * Changes the attributes of one of many garments. Returns the problem of a garment that cannot be changed, so that the
 * others still are; empty if there is none.
 */
export async function editGarment(
  deps: CorrectionDeps,
  tenantId: string,
  { uuid, attribute, by, isLogged }: Edit,
  nowMs: number,
): Promise<string> {
  const patch = { tag: {}, measurements: {}, attribute: (current: Attribute) => inSpellingOf(current, attribute) }
  try {
    await correctGarment(deps, tenantId, { uuid, patch, by, isLogged }, nowMs)
    return ''
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return boundText(error.problems.join('; ') || error.message, maxProblemLength)
  }
}

/** A garment with a `price` gets no `Price` beside it. Names that the service itself reads are not matched. */
function inSpellingOf(current: Attribute, attribute: Attribute): Attribute {
  const known = new Map(Object.keys(current).map((key) => [plainKey(key), key]))
  const spelled = (key: string) => (knownAttributes.includes(key) ? key : (known.get(plainKey(key)) ?? key))
  return Object.fromEntries(Object.entries(attribute).map(([key, value]) => [spelled(key), value]))
}
