import { attributeSchema } from '../garment/fields.ts'
import { getGarment } from '../garment/get-garment.ts'
import { correctGarment } from './correct-garment.ts'
import { garmentChanged } from './errors.ts'
import { parseChanges } from './rules/attribute-changes.ts'
import type { Corrector } from './rules/correction.ts'
import type { CorrectionDeps } from './store-correction.ts'

interface Undone {
  readonly uuid: string
  readonly name: string
  /** When the attribute was changed, as its history says. */
  readonly at: number
  readonly by: Corrector
}

/**
 * Gives an attribute the value that it had before its latest change, which is a change of its own in the history.
 * Throws 409 if it has been changed since, and 404 and more as `correctGarment` does.
 */
export async function undoAttribute(
  deps: CorrectionDeps,
  tenantId: string,
  { uuid, name, at, by }: Undone,
  nowMs: number,
): Promise<void> {
  const { attribute, attributeChanges } = await getGarment(deps.db, tenantId, uuid)
  const latest = parseChanges(attributeChanges).findLast(({ before }) => Object.hasOwn(before, name))
  if (latest?.at !== at) throw garmentChanged()
  const shown = attributeSchema.parse(JSON.parse(attribute))[name]
  const former = latest.before[name] ?? null
  const patch = {
    tag: {},
    measurements: {},
    attribute(current: Readonly<Record<string, string>>) {
      if (current[name] !== shown) throw garmentChanged()
      return { [name]: former }
    },
  }
  await correctGarment(deps, tenantId, { uuid, patch, by }, nowMs)
}
