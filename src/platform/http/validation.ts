import { z } from '@hono/zod-openapi'
import { editDistance } from '../edit-distance.ts'
import { formatCount } from '../format-count.ts'
import { boundName } from '../limits/bound-text.ts'
import { invalidBody } from './errors.ts'

interface Max {
  readonly max: number
}

/** Problems of an upload's field, which follow its name. Imports store the codes, so they never change. */
export const fieldSentences = {
  required: () => 'is required',
  not_given_once: () => 'must be given once, as a string',
  not_a_string: () => 'must be a string',
  not_an_object: () => 'must be an object',
  empty: () => 'must not be empty',
  too_long: ({ max }: Max) => `must be at most ${max} characters`,
  key_too_long: ({ max }: Max) => `must be a key of at most ${max} characters`,
  too_many_keys: ({ max }: Max) => `must have at most ${max} keys`,
  control_characters: () => 'must not contain control characters',
  not_unicode: () => 'must be well-formed Unicode',
  too_many_images: ({ max }: Max) => `must be at most ${max} pictures, the one in image_url included`,
  image_twice: () => 'must not have the same picture twice',
}

export type FieldCode = keyof typeof fieldSentences

const codes = Object.keys(fieldSentences) as FieldCode[]

/** Finds the code and number of a sentence, or null. */
export function findFieldCode(sentence: string): (Max & { readonly code: FieldCode }) | null {
  const max = Number(/\d+/.exec(sentence)?.[0] ?? 0)
  const code = codes.find((each) => fieldSentences[each]({ max }) === sentence)
  return code === undefined ? null : { code, max }
}

type Issue = z.core.$ZodRawIssue

const typeNames: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  int: 'a whole number',
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

/** Describes an issue for which the schema has no message. */
function inPlainWords(issue: Issue): string | undefined {
  if (issue.code === 'invalid_type' && issue.input === undefined) return fieldSentences.required()
  if (issue.code === 'invalid_type') return `must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}`
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1) return fieldSentences.empty()
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${units[issue.origin] ?? ''}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${units[issue.origin] ?? ''}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? 'must have another key'
  return undefined
}

z.config({ customError: inPlainWords })

export const pathOf = ({ path }: z.core.$ZodIssue) => path.map((key) => boundName(String(key))).join('.') || 'body'

/** Lists problems with their fields: `settings.timezone: must be an IANA time zone`. */
export const toProblems = (error: z.core.$ZodError): string[] =>
  error.issues.map((issue) => `${pathOf(issue)}: ${issue.message}`)

export type ValidationResult = { success: true } | { success: false; error: z.core.$ZodError }

export function rejectInvalid(result: ValidationResult): void {
  if (!result.success) throw invalidBody(toProblems(result.error))
}

/** One letter in four may differ. */
const lettersPerMistake = 4

/** Bounds the comparisons for a body with thousands of fields. */
const maxCompared = 10
const maxNameLength = 64

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

interface NearMiss {
  readonly name: string
  readonly meant: string
}

export const nearMissSentence = ({ name, meant }: NearMiss) => `${name}: is not a field; did you mean ${meant}?`

/** Finds unknown fields whose names resemble absent known fields, among the first unknown ones. */
export function findNearMisses(body: object, fields: readonly string[]): NearMiss[] {
  const unknown = Object.keys(body)
    .filter((name) => name.length <= maxNameLength && !fields.includes(name))
    .slice(0, maxCompared)
  return unknown.flatMap((name) => {
    const isNear = (field: string) =>
      editDistance(plain(name), plain(field)) <= Math.floor(plain(field).length / lettersPerMistake)
    const meant = fields.find((field) => !Object.hasOwn(body, field) && isNear(field))
    return meant === undefined ? [] : [{ name: boundName(name), meant }]
  })
}

export function pageLimit(max: number, standard = max) {
  const sentence = `must be a whole number from 1 to ${formatCount(max)}`
  return z.coerce.number(sentence).int(sentence).min(1, sentence).max(max, sentence).default(standard)
}

/** Parses a date (midnight in UTC) or a time with its zone to ms since the epoch. */
export const dateOrTime = z
  .union(
    [z.iso.datetime({ offset: true }), z.iso.date()],
    'must be an ISO 8601 date or time, such as 2026-11-27 or 2026-11-27T12:00:00Z',
  )
  .transform((text) => Date.parse(text))

export const maxKeyLength = 64

export const maxValueLength = 512

/** For single-line text. */
// oxlint-disable-next-line no-control-regex
export const withoutControlCharacters = /^[^\u0000-\u001f\u007f-\u009f]*$/

/** Forbidden in multi-line text: DEL and the C0 controls except tab and line ends. */
// oxlint-disable-next-line no-control-regex
export const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
