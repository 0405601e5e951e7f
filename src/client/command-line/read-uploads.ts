import { readCsvTable } from '../../csv/read-csv-table.ts'
import type { Upload } from '../types.ts'

/** Room for 50 attributes of the greatest length. */
const limits = { maxRows: 100_000, maxColumns: 60, maxRowLength: 40_000 }

export interface UploadRow {
  readonly line: number
  readonly upload: Upload
}

const required = ['uuid', 'image_url'] as const

/**
 * The uploads of a CSV file with the columns `uuid` and `image_url`; every other column is an attribute. Throws if any
 * row cannot be read, before anything is uploaded.
 */
export function readUploads(text: string): UploadRow[] {
  const { columns, rows, problems } = readCsvTable(text, limits)
  const found = problems.map(({ line, problem }) => `line ${line}: ${problem}`)
  const missing = required.filter((name) => !columns.some((column) => isNamed(column, name)))
  if (columns.length > 0 && missing.length > 0)
    found.push(`line 1: There is no column ${missing.join(' and no column ')}.`)
  const lineOf = new Map<string, number>()
  const uploads = rows.map(({ line, values }) => {
    const upload = toUpload(values)
    const first = lineOf.get(upload.uuid)
    if (upload.uuid === '' || upload.image_url === '') found.push(`line ${line}: uuid and image_url must not be empty.`)
    else if (first !== undefined) found.push(`line ${line}: The uuid ${upload.uuid} is on line ${first} too.`)
    lineOf.set(upload.uuid, first ?? line)
    return { line, upload }
  })
  if (found.length > 0) throw new Error(['The file cannot be uploaded:', ...firstOf(found)].join('\n  '))
  if (uploads.length === 0) throw new Error('The file has no rows.')
  return uploads
}

const isNamed = (column: string, name: string) => column.toLowerCase().replaceAll(' ', '_') === name

const firstOf = (problems: readonly string[]) =>
  problems.length <= 20 ? problems : [...problems.slice(0, 20), `and ${problems.length - 20} more`]

function toUpload(values: Readonly<Record<string, string>>): Upload {
  const upload = { uuid: '', image_url: '' }
  const attribute: Record<string, string> = {}
  for (const [column, value] of Object.entries(values)) {
    const name = required.find((each) => isNamed(column, each))
    if (name !== undefined) upload[name] = value
    else if (value !== '') attribute[column] = value
  }
  return { ...upload, attribute }
}
