import { escapeHtml } from '../html.ts'
import { inline } from './inline.ts'
import type { Document, Schema } from './document.ts'

export interface Row {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: Schema
}

const last = (reference: string) => reference.split('/').at(-1) ?? ''

export const resolve = (schema: Schema, { components }: Document): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[last(schema.$ref)] ?? schema)

/** Lists an object's properties. Nested ones follow their parent: `settings`, `settings.timezone`. */
export function rowsOf(given: Schema, document: Document, prefix = ''): Row[] {
  const schema = resolve(given, document)
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = `${prefix}${key}`
    const resolved = resolve(property, document)
    const inner = resolved.items === undefined ? resolved : resolve(resolved.items, document)
    return [
      { name, isRequired: schema.required?.includes(key) ?? false, schema: resolved },
      ...rowsOf(inner, document, `${name}${resolved.items === undefined ? '' : '[]'}.`),
    ]
  })
}

function typeOf({ type, const: constant, enum: values, items, format, additionalProperties }: Schema): string {
  if (constant !== undefined) return JSON.stringify(constant)
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(', ')
  const name = [type ?? 'any'].flat().join(' or ')
  if (name === 'array') return `array of ${[items?.type ?? 'any'].flat().join(' or ')}`
  if (typeof additionalProperties === 'object' && additionalProperties.type !== undefined)
    return `${name} of ${[additionalProperties.type].flat().join(' or ')}`
  return format === undefined ? name : `${name} (${format})`
}

function limitsOf({ minLength, maxLength, minimum, maximum, default: preset }: Schema): string {
  const numbers = (least: number | undefined, most: number | undefined, unit: string) =>
    most === undefined || most >= Number.MAX_SAFE_INTEGER
      ? ''
      : `${least === undefined || least <= Number.MIN_SAFE_INTEGER ? 'at most' : `${least} to`} ${most}${unit}`
  const parts = [numbers(minLength, maxLength, ' characters'), numbers(minimum, maximum, '')]
  const simple = preset === undefined || typeof preset === 'object' ? '' : `default ${JSON.stringify(preset)}`
  return [...parts, simple].filter((part) => part !== '').join(', ')
}

/** Renders a table of fields, or nothing if there are none. */
export function fieldTable(caption: string, rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(({ name, isRequired, schema }) => {
    const notes = [isRequired ? 'required' : '', limitsOf(schema)].filter((part) => part !== '').join(', ')
    return `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td>${escapeHtml(typeOf(schema))}${notes === '' ? '' : `<br><span class="note">${escapeHtml(notes)}</span>`}</td><td>${inline(schema.description ?? '')}</td></tr>`
  })
  return `<div class="wide" tabindex="0"><table class="fields"><caption>${caption}</caption><tbody>${lines.join('')}</tbody></table></div>\n`
}
