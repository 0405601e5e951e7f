import { z } from 'zod'
import { boundText } from '../platform/limits/bound-text.ts'
import { csvSentences } from '../platform/csv/read-csv.ts'
import { sentenceOf, storeText } from '../platform/db/stored-text.ts'
import { notReserved } from '../garments/garment-errors.ts'
import { failureReason } from '../garments/failure.ts'
import { type FieldCode, fieldSentences, findFieldCode, nearMissSentence, pathOf } from '../platform/http/validation.ts'
import { describeTargetProblem, type TargetProblem } from '../platform/outbound/target.ts'

/**
 * Sentences for refused and failed import lines, by the code that is stored. Failures of tagging have their own table.
 */
const lineSentences = {
  ...csvSentences,
  line_too_long: ({ max }: { readonly max: number }) => `The line has more than ${max} characters.`,
  no_object: () => 'The line is not a JSON object.',
  changes_nothing: () => 'The line changes nothing.',
  rounded_number: ({ name }: { readonly name: string }) =>
    `${name}: a spreadsheet has rounded this number; format the column as text, enter the numbers again and save the file once more`,
  formula_uuid: () => 'uuid: this is a spreadsheet formula (="…"); save the column as text without the = and quotes',
  repeated_uuid: ({ line }: { readonly line: number }) => `uuid: is already used on line ${line}`,
  image_url_refused: ({ problem }: { readonly problem: TargetProblem }) =>
    `image_url: ${describeTargetProblem(problem)}`,
  uuid_conflict: () => 'uuid: this garment was uploaded before with another picture or other attributes',
  unknown_garment: () => 'uuid: there is no such garment; to add it, put the URL of its picture in a column image_url',
  ambiguous_sku: ({ sku, numbers }: { readonly sku: string; readonly numbers: string }) =>
    `SKU: several garments have the SKU “${sku}” (${numbers}); name the garment by its stock number or uuid`,
  unmatched: ({ name }: { readonly name: string }) => `No garment has the uuid, SKU or number “${name}”.`,
  skipped: () => 'This line was left out.',
  no_number: () => 'number: must be a stock number such as G-1042',
  number_not_reserved: ({ number }: { readonly number: number }) => notReserved(number),
  garment_binned: () => 'uuid: this garment is in the bin; undo its deletion there, or delete it permanently',
  garment_deleted: () => 'The garment was deleted.',
  uploaded_again: () => 'The garment has been uploaded again since.',
  field: ({ name, problem, max }: { readonly name: string; readonly problem: FieldCode; readonly max: number }) =>
    `${name}: ${problem in fieldSentences ? fieldSentences[problem]({ max }) : problem}`,
  near_miss: nearMissSentence,
  more: ({ count }: { readonly count: number }) => `and ${count} more`,
  invalid: ({ text }: { readonly text: string }) => text,
}

export interface LineProblem {
  readonly code: keyof typeof lineSentences
  readonly params: Readonly<Record<string, string | number>>
}

const maxLength = 500

/** Maximum length of a quoted input, and of its JSON, which escapes some characters as six. */
const [maxTextLength, maxStoredLength] = [250, 400]

function bound(value: string): string {
  const text = boundText(value, maxTextLength)
  return JSON.stringify(text).length > maxStoredLength ? boundText(text, 60) : text
}

export const lineProblem = (code: LineProblem['code'], params: LineProblem['params'] = {}): LineProblem => ({
  code,
  params,
})

export const otherProblem = (sentence: string) => lineProblem('invalid', { text: bound(sentence) })

export const schemaProblems = ({ issues }: z.core.$ZodError): LineProblem[] =>
  issues.map((issue) => {
    const [name, found] = [bound(pathOf(issue)), findFieldCode(issue.message)]
    if (found === null) return otherProblem(`${name}: ${issue.message}`)
    return lineProblem('field', { name, problem: found.code, ...(found.max > 0 && { max: found.max }) })
  })

/** Formats a line's problems for storage, in at most 500 characters; empty if there are none. */
export function storeProblems(problems: readonly LineProblem[]): string {
  const texts = problems.map(({ code, params }) => storeText(code, params))
  if (texts.length < 2) return texts[0] ?? ''
  const all = `[${texts.join(',')}]`
  if (all.length <= maxLength) return all
  const moreAfter = (count: number) => storeText('more', { count: texts.length - count })
  // A line can have thousands of problems, so this adds up lengths instead of formatting the list for each candidate.
  let [count, length] = [0, '[]'.length]
  for (const text of texts) {
    length += text.length + ','.length
    if (length + moreAfter(count + 1).length > maxLength) break
    count++
  }
  return count === 0 ? (texts[0] ?? '') : `[${[...texts.slice(0, count), moreAfter(count)].join(',')}]`
}

const storedList = z.array(z.object({ code: z.string(), params: z.record(z.string(), z.unknown()) }))

export function problemText(stored: string): string {
  if (stored === '') return ''
  const list: unknown = stored.startsWith('[') ? JSON.parse(stored) : [JSON.parse(stored)]
  const sentences = storedList.parse(list).map(({ code, params }) => sentence(code, params))
  return boundText(sentences.join('; '), maxLength)
}

/** Codes that are not in `lineSentences` are failures of the line's garment. No code is in both tables. */
const sentence = (code: string, params: object) =>
  code in lineSentences ? sentenceOf(storeText(code, params), lineSentences) : failureReason(storeText(code, params))
