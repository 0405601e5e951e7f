import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { describeChange, parseChanges } from '../../garments/corrections/attributes.ts'
import { type Corrector, parseCorrections } from '../../garments/corrections/correction.ts'
import { parseAttribute } from '../../garments/garment-fields.ts'
import type { GarmentRow } from '../../garments/garment.ts'
import { listValues, type ListValues } from '../garments/garment-filter.tsx'
import { Allowed, RowAction } from '../parts/actions.tsx'
import { Table, withQuery } from '../parts/list-parts.tsx'
import { Section, WhenCell } from '../parts/elements.tsx'
import { garmentPath } from '../paths.ts'
import { correctGarment, undoAttribute } from '../../garments/corrections/correct-garment.ts'
import { correctionDeps } from '../../garments/corrections/store-correction.ts'
import { formBody, parseFields, readForm } from '../form.ts'
import { correctorOf, type DashboardEnv, forTenant } from '../viewer.ts'

const correctedParts = ['tag', 'measurements', 'lines'] as const

interface HistoryEntry {
  readonly part: (typeof correctedParts)[number] | 'attribute'
  readonly name: string
  /** The predicted value, or an attribute's former value. Null if there was none. */
  readonly before: string | number | null
  /** Null for a removed attribute and for measuring lines. */
  readonly value: string | number | null
  readonly isTakenOut?: boolean
  /** True if the change cannot be undone, because a later change exists or the former value is unknown. */
  readonly isFinal?: boolean
  readonly at: number
  readonly by: Corrector
}

function listHistory({
  corrections,
  attribute,
  attributeChanges,
}: Pick<GarmentRow, 'corrections' | 'attribute' | 'attributeChanges'>): HistoryEntry[] {
  const { tag, measurements, lines } = parseCorrections(corrections)
  return [
    ...listAttributeChanges(attribute, attributeChanges),
    ...(['tag', 'measurements'] as const).flatMap((part) =>
      Object.entries({ tag, measurements }[part]).map(([name, { machine, value, at, by }]) => ({
        part,
        name,
        before: machine,
        value,
        at,
        by,
      })),
    ),
    ...Object.entries(lines).map(([name, { ends, at, by }]) => ({
      part: 'lines' as const,
      name,
      before: null,
      value: null,
      isTakenOut: ends === null,
      at,
      by,
    })),
  ].sort((a, b) => b.at - a.at)
}

const notKept = '…'

/** Newest first. A change stores only the values before it. Those after it come from the next change or the garment. */
function listAttributeChanges(attribute: string, stored: string | null): HistoryEntry[] {
  const after = new Map<string, string | null>(Object.entries(parseAttribute(attribute)))
  const seen = new Set<string>()
  return parseChanges(stored)
    .toReversed()
    .flatMap(({ at, by, before, omitted = [] }) =>
      [...Object.entries(before), ...omitted.map((name) => [name, notKept] as const)].map(([name, former]) => {
        const isFinal = seen.has(name) || former === notKept
        const entry = { name, before: former, value: after.get(name) ?? null, isFinal, at, by }
        after.set(name, former)
        seen.add(name)
        return { part: 'attribute' as const, ...entry }
      }),
    )
}

interface HistoryProps {
  readonly garment: Pick<GarmentRow, 'uuid' | 'corrections' | 'attribute' | 'attributeChanges'>
  readonly list: ListValues
}

export const History = ({ garment, list }: HistoryProps) => {
  const entries = listHistory(garment)
  return entries.length === 0 ? null : (
    <Section id="history" title="History">
      <Table names={['Time', 'Who', 'What']} hasActions>
        {entries.map((entry) => (
          <tr>
            <WhenCell label="Time" at={entry.at} />
            <td data-label="Who">{authorName(entry)}</td>
            <th scope="row">{describeEntry(entry)}</th>
            <Undo uuid={garment.uuid} list={list} entry={entry} />
          </tr>
        ))}
      </Table>
    </Section>
  )
}

const Undo = ({ uuid, list, entry }: { uuid: string; list: ListValues; entry: HistoryEntry }) => {
  const { part, name, at, isFinal } = entry
  if (isFinal === true) return <td></td>
  const shown = { label: 'Undo', about: name }
  if (part !== 'attribute')
    return (
      <RowAction path={withQuery('/dashboard/correct/undo', { uuid, ...list })} fields={{ part, name }} {...shown} />
    )
  return (
    <Allowed to="POST /dashboard/edit/undo" otherwise={<td></td>}>
      <RowAction
        path={withQuery('/dashboard/edit/undo', { uuid, ...list })}
        fields={{ name, at: String(at) }}
        {...shown}
      />
    </Allowed>
  )
}

const authorName = ({ by }: HistoryEntry) => (by.kind === 'api-key' ? 'An API key' : by.name)

function describeEntry({ part, name, before, value, isTakenOut }: HistoryEntry): string {
  if (part === 'attribute') return describeChange(name, before, value)
  if (part === 'lines') return isTakenOut === true ? `Line ${name}: removed` : `Line ${name}: corrected`
  if (before === value) return `${name}: ${value}, confirmed`
  return describeChange(name, before, value)
}

const correctionSchema = z.object({ part: z.enum(correctedParts), name: z.string() })
const changeSchema = z.object({ name: z.string(), at: z.coerce.number() })

export const undoPages = new Hono<DashboardEnv>()

const historyPath = (c: Context, uuid: string) =>
  `${garmentPath(uuid, { ...listValues(c.req.query()), done: 'undone' })}#history`

undoPages.post('/dashboard/correct/undo', formBody, forTenant, async (c) => {
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  const { part, name } = parseFields(correctionSchema, await readForm(c))
  const tenantId = c.get('tenant').id
  const nothing = { tag: {}, measurements: {} }
  const patch = part === 'lines' ? { ...nothing, undoneLines: [name] } : { ...nothing, [part]: { [name]: null } }
  await correctGarment(
    correctionDeps({ env: c.env, db: c.get('db') }),
    tenantId,
    { uuid, patch, by: correctorOf(c) },
    Date.now(),
  )
  return c.redirect(historyPath(c, uuid), 303)
})

/** A separate route, because reviewers may correct tags but not change attributes. */
undoPages.post('/dashboard/edit/undo', formBody, forTenant, async (c) => {
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  const { name, at } = parseFields(changeSchema, await readForm(c))
  const tenantId = c.get('tenant').id
  const undone = { uuid, name, at, by: correctorOf(c) }
  await undoAttribute(correctionDeps({ env: c.env, db: c.get('db') }), tenantId, undone, Date.now())
  return c.redirect(historyPath(c, uuid), 303)
})
