import { bodyLimit } from 'hono/body-limit'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { boundText } from '../../platform/limits/bound-text.ts'
import { type ApiError, maxBodyBytes } from '../../platform/http/errors.ts'
import { maxCsvBytes } from '../../imports/import-errors.ts'
import { receiveFile } from '../../imports/receive-import-file.ts'
import { admitMember } from '../../accounts/authenticate.ts'
import { drain, isForm, isMultipart, submit } from '../form.ts'
import { limitCsvFiles } from '../limit-writes.ts'
import type { DashboardEnv } from '../viewer.ts'
import { csvTooLarge, unsupportedForm } from '../page-errors.ts'
import { choosable, type Column } from '../../imports/import-columns.ts'
import { useContext } from 'hono/jsx'
import { Choice, CurrentForm, Field, type FormState, FileField, Summary, TextArea } from '../parts/form-fields.tsx'
import { Notice } from '../parts/elements.tsx'

/** Allows for a file, pasted text and the overhead of multipart. */
const maxFormBytes = maxCsvBytes + maxBodyBytes

/**
 * Checks the limits on CSV files before the form, which may have 8 MiB, is read. `refuse` renders the page with the
 * failure.
 */
export const limitCsvForms = (refuse: (c: Context<DashboardEnv>, failure: ApiError) => Promise<Response>) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    const result = await submit(c, async () => {
      await limitCsvFiles(c.env, c.get('viewer').id)
      await receiveFile(c, c.get('tenant').id, next)
    })
    if (result.ok) return
    await drain(c.req.raw, maxFormBytes)
    return await admitMember(c.get('viewer'), async () => await refuse(c, result.failure))
  })

export const csvFormBody = bodyLimit({
  maxSize: maxFormBytes,
  onError: () => {
    throw csvTooLarge(maxCsvBytes / 1024 / 1024)
  },
})

const maxNameLength = 200

/** Maximum length of pasted text that the page shows again, because pages are built in memory. */
const maxShownLength = 200_000

export interface CsvForm {
  readonly name: string
  readonly content: string | Uint8Array
  readonly field: 'file' | 'csv'
  /** Pasted text to show again. Empty if it is too long for a page. */
  readonly pasted: string
  readonly chosen: Readonly<Record<string, string>>
}

/** Numbers of the form's rows that map a column by its name. */
const mappedPlaces = [1, 2, 3] as const

const columnPrefix = 'column.'

/** Reads the form's CSV file, or else its pasted lines. */
export async function readCsvForm(c: Context): Promise<CsvForm> {
  // URL-encoded forms are those that were kept while their sender signed in again.
  if (!isMultipart(c) && !isForm(c)) throw unsupportedForm()
  const { file, csv, ...others } = await c.req.parseBody()
  const chosen = Object.fromEntries(
    Object.entries(others).flatMap(([name, value]) =>
      name.startsWith(columnPrefix) && typeof value === 'string' ? [[name.slice(columnPrefix.length), value]] : [],
    ),
  )
  for (const place of mappedPlaces) {
    const [header, target] = [others[`header.${place}`], others[`target.${place}`]]
    if (typeof header === 'string' && header.trim() !== '')
      chosen[header.trim()] = typeof target === 'string' ? target : ''
  }
  const pasted = typeof csv === 'string' ? csv : ''
  const shown = pasted.length <= maxShownLength ? pasted : ''
  if (file instanceof File && file.size > 0) {
    const content = new Uint8Array(await file.arrayBuffer())
    return { name: boundText(file.name, maxNameLength) || 'A file', content, field: 'file', pasted: shown, chosen }
  }
  return { name: 'Pasted lines', content: pasted, field: 'csv', pasted: shown, chosen }
}

/**
 * Builds the form that asks for the meaning of unknown columns. It contains the file's text unless that is too long.
 */
export const askForColumns = (unknown: readonly Column[], text: string): FormState => ({
  values: {
    csv: text.length <= maxShownLength ? text : '',
    ...Object.fromEntries(unknown.map(({ name, guess }) => [`${columnPrefix}${name}`, guess ?? name])),
  },
})

const ColumnChoices = () => {
  const form = useContext(CurrentForm)
  const fields = Object.keys(form.values).filter((name) => name.startsWith(columnPrefix))
  if (fields.length === 0) return null
  return (
    <Notice tone="bad" title="Nothing is stored yet: some columns have names that are not known.">
      <p>
        Choose what they are, then import.
        {form.values['csv'] === '' && ' Choose the file once more, too: it is too long to be kept on this page.'}
      </p>
      <div class="pair">
        {fields.map((field) => {
          const name = field.slice(columnPrefix.length)
          return (
            <Choice
              name={field}
              label={name}
              empty="Leave it out"
              values={[name, ...choosable.filter((each) => each !== name)]}
              names={{ [name]: `${name}, a value of your own` }}
            />
          )
        })}
      </div>
    </Notice>
  )
}

export const CsvFields = () => (
  <>
    <Summary />
    <ColumnChoices />
    <FileField
      name="file"
      label="CSV file"
      hint="Choose it, or drop it on this field."
      accept=".csv,.tsv,.txt,text/csv"
      optional
    />
    <TextArea name="csv" label="Or paste the lines" rows={4} mono optional />
    <details>
      <summary>Choose what columns mean</summary>
      <p class="hint">Only for columns that are read as something else, or left out.</p>
      {mappedPlaces.map((place) => (
        <div class="pair">
          <Field name={`header.${place}`} label={`Column ${place}`} hint="Its name in the first row." optional />
          <Choice
            name={`target.${place}`}
            label={`Meaning ${place}`}
            empty="Leave it out"
            values={choosable}
            optional
          />
        </div>
      ))}
    </details>
  </>
)
