import { valueOf } from '../../platform/value-of.ts'
import { roundCm } from '../../vision/view.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { boundText } from '../../platform/limits/bound-text.ts'
import { parseAttribute } from '../garment-fields.ts'
import { type GarmentRow, machineResult } from '../garment.ts'
import { dependsOnItemType, detailedBy, lineName } from './allowed-values.ts'
import { applyCorrections, type MachineResult } from './apply-corrections.ts'
import { type AttributePatch, inSpellingOf, parseChanges } from './attributes.ts'
import type { CorrectionPatch } from './check-corrections.ts'
import { correctGarment } from './correct-garment.ts'
import { type ChangeAuthorship, type Corrector, parseCorrections } from './correction.ts'
import type { CorrectionDeps } from './store-correction.ts'

const maxProblemLength = 500

export interface Edit {
  readonly uuid: string
  /** New values; null removes one. Other values stay. */
  readonly attribute: AttributePatch
  readonly tag?: Readonly<Record<string, string>>
  readonly measurements?: Readonly<Record<string, string>>
  /** When the row was exported, if it says so. */
  readonly exportedAt?: number | undefined
  readonly overwrites: boolean
  readonly by: Corrector
  readonly importId: string
}

export interface EditOutcome {
  /** `asking`: the garment was changed after the row was exported, so the edit changed nothing. */
  readonly status: 'complete' | 'unchanged' | 'failed' | 'asking'
  readonly problem: string
}

class EditEnd extends Error {
  override name = 'EditEnd'
  readonly outcome: EditOutcome

  constructor(outcome: EditOutcome) {
    super(outcome.status)
    this.outcome = outcome
  }
}

/** Applies a row of an import to a garment. Only differing values are changed. */
export const editGarment = async (deps: CorrectionDeps, tenantId: string, edit: Edit, nowMs: number) =>
  await editBy(deps, tenantId, edit, (garment) => patchOf(garment, edit), nowMs)

export interface Undo extends Pick<Edit, 'uuid' | 'by' | 'importId'> {
  readonly undone: string
}

/** Undoes the changes that an import made to a garment, except values that were changed again since. */
export const undoEdit = async (deps: CorrectionDeps, tenantId: string, undo: Undo, nowMs: number) =>
  await editBy(deps, tenantId, undo, (garment) => patchOfUndo(garment, undo.undone), nowMs)

async function editBy(
  deps: CorrectionDeps,
  tenantId: string,
  { uuid, by, importId }: Pick<Edit, 'uuid' | 'by' | 'importId'>,
  patch: (garment: GarmentRow) => EditPatch,
  nowMs: number,
): Promise<EditOutcome> {
  try {
    await correctGarment(deps, tenantId, { uuid, patch, by, importId }, nowMs)
    return { status: 'complete', problem: '' }
  } catch (error) {
    if (error instanceof EditEnd) return error.outcome
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return { status: 'failed', problem: boundText(error.problems.join('; ') || error.message, maxProblemLength) }
  }
}

/** A former change of a value. `former` is undefined if unknown. */
interface Change {
  readonly at: number
  readonly by: string
  readonly former: string | null | undefined
}

/**
 * Decides about a value that differs from the garment's. Asks if somebody else changed the value after the row was
 * exported, but keeps it if the row has the value from before that change. A row without an export time asks if the
 * garment had its value before.
 */
function decide(value: string | null, changes: readonly Change[], { exportedAt, overwrites }: Edit) {
  const known = changes.filter(({ former }) => former === value).at(-1)
  if (exportedAt === undefined) return overwrites || known === undefined ? 'apply' : known
  const first = changes.find(({ at }) => at > exportedAt)
  if (first === undefined) return 'apply'
  if (first.former === value) return 'keep'
  return overwrites ? 'apply' : first
}

type EditPatch = CorrectionPatch & { readonly attribute: AttributePatch }

/** Builds the patch that restores the values before an import. Throws `EditEnd` if none can be restored. */
function patchOfUndo(garment: GarmentRow, undone: string): EditPatch {
  const { tag, measurements } = parseCorrections(garment.corrections)
  const formerOf = <T extends string | number>(
    entries: Readonly<Record<string, { readonly importId?: string | undefined; readonly former?: T | undefined }>>,
  ) =>
    Object.fromEntries(
      Object.entries(entries).flatMap(([name, { importId, former }]) =>
        importId === undone ? [[name, former ?? null] as const] : [],
      ),
    )
  const changes = parseChanges(garment.attributeChanges)
  const { before = {}, omitted = [] } = changes.findLast(({ importId }) => importId === undone) ?? {}
  const isLatest = (name: string) =>
    changes.findLast((each) => Object.hasOwn(each.before, name) || each.omitted?.includes(name))?.importId === undone
  const attribute = Object.entries(before).filter(([name]) => isLatest(name))
  const patch = { tag: formerOf(tag), measurements: formerOf(measurements), attribute: Object.fromEntries(attribute) }
  if (Object.values(patch).some((part) => Object.keys(part).length > 0)) return patch
  const names = [...Object.keys(before), ...omitted].join(', ')
  const problem =
    names === ''
      ? 'Its history no longer has what was changed.'
      : `${names}: cannot be brought back; changed again since, or too long for the history`
  throw new EditEnd({ status: 'failed', problem: boundText(problem, maxProblemLength) })
}

/** Builds the patch of a row. Throws `EditEnd` if it changes nothing, or if a person must decide. */
function patchOf(garment: GarmentRow, edit: Edit): EditPatch {
  const supplied = parseAttribute(garment.attribute)
  const corrections = parseCorrections(garment.corrections)
  const machine: MachineResult = garment.status === 'complete' ? machineResult(garment) : { tag: {}, measurements: {} }
  const result = applyCorrections(machine, corrections, supplied)
  const asking: string[] = []
  const isChanged = (name: string, value: string | null, current: string | null, changes: readonly Change[]) => {
    if (value === current) return false
    const decision = decide(value, changes, edit)
    if (typeof decision !== 'string')
      asking.push(`${name}: ${decision.by || 'An API key'} has changed it to ${current ?? 'nothing'} since`)
    return decision === 'apply'
  }
  /** Returns when a predicted value changed: by a correction of it or of its item type, or by tagging. */
  const changesOfPrediction = (
    corrected: ChangeAuthorship | undefined,
    predicted: string | number | readonly string[] | undefined,
  ): Change[] => {
    if (corrected !== undefined) return [{ at: corrected.at, by: corrected.by.name, former: textOf(predicted) }]
    return edit.exportedAt === undefined ? [] : [{ at: garment.endedAt ?? 0, by: 'The tagger', former: undefined }]
  }
  const correctionOf = (name: string): ChangeAuthorship | undefined =>
    corrections.tag[name] ??
    corrections.tag[detailedBy(name) ?? ''] ??
    (dependsOnItemType(name) ? corrections.tag['Item Type'] : undefined)
  // True for a client attribute that has the name of a tag.
  const isOwn = (name: string) => edit.exportedAt === undefined && Object.hasOwn(supplied, name)
  const tags = Object.entries(edit.tag ?? {})
  const changed = { ...edit.attribute, ...Object.fromEntries(tags.filter(([name]) => isOwn(name))) }
  const history = parseChanges(garment.attributeChanges)
  const changesOf = (name: string) =>
    history.flatMap(({ at, by, before }): Change[] =>
      Object.hasOwn(before, name) ? [{ at, by: by.name, former: valueOf(before, name) }] : [],
    )
  const attribute = Object.entries(inSpellingOf(supplied, changed)).filter(([name, value]) =>
    isChanged(name, value, valueOf(supplied, name) ?? null, changesOf(name)),
  )
  const tag = tags.filter(
    ([name, value]) =>
      !isOwn(name) &&
      isChanged(name, value, textOf(result.tag[name]), changesOfPrediction(correctionOf(name), machine.tag[name])),
  )
  const measurements = Object.entries(edit.measurements ?? {}).flatMap(([name, typed]): [string, number][] => {
    const cm = Number(typed.replace(',', '.'))
    const value = String(roundCm(cm))
    const corrected =
      corrections.measurements[name] ?? corrections.lines[lineName(name)] ?? corrections.tag['Item Type']
    const changes = changesOfPrediction(corrected, machine.measurements[name])
    return isChanged(name, value, textOf(result.measurements[name]), changes) ? [[name, cm]] : []
  })
  if (asking.length > 0)
    throw new EditEnd({ status: 'asking', problem: boundText(asking.join('; '), maxProblemLength) })
  if (attribute.length + tag.length + measurements.length === 0) throw new EditEnd({ status: 'unchanged', problem: '' })
  return {
    attribute: Object.fromEntries(attribute),
    tag: Object.fromEntries(tag),
    measurements: Object.fromEntries(measurements),
    uncounted: tag.map(([name]) => name),
  }
}

const textOf = (value: string | number | readonly string[] | undefined) =>
  value === undefined ? null : typeof value === 'object' ? value.join(', ') : String(value)
