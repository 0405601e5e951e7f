import { type Context, Hono } from 'hono'
import {
  listOwnFiles,
  maxColumns,
  type OwnColumn,
  type OwnFile,
  ownFileSchema,
  presets,
  putOwnFile,
  removeOwnFile,
  valueNames,
} from '../exports/own-files.ts'
import { formBody, type FormValues, parseFields, readForm, submitForm } from './form.ts'
import { limitWrites } from './limit-writes.ts'
import { Confirm } from './parts/actions.tsx'
import { Field, type FormState, PostForm } from './parts/form-fields.tsx'
import { render } from './parts/layout.tsx'
import { Table, withQuery } from './parts/list-parts.tsx'
import { PlainLink, Breadcrumb, Card, Heading } from './parts/elements.tsx'
import { exportFilesPath, exportFilesRemovalPath, exportPath } from './paths.ts'
import { type DashboardEnv, madeBy, forTenant } from './viewer.ts'

export const OwnFiles = ({ files }: { files: readonly OwnFile[] }) => (
  <Card id="own-files" title="Files of your own">
    <p class="lead">
      For a shop or a system that is not in the list: choose the columns once, and export them by name.
    </p>
    {files.length > 0 && (
      <ul>
        {files.map(({ name, columns }) => (
          <li>
            <a href={withQuery(exportFilesPath, { name })}>{name}</a>{' '}
            <span class="hint">
              {columns
                .map(([column]) => column)
                .slice(0, 6)
                .join(', ')}
              {columns.length > 6 ? ', …' : ''}
            </span>
          </li>
        ))}
      </ul>
    )}
    <p class="actions">
      {Object.keys(presets).map((preset) => (
        <PlainLink to={withQuery(exportFilesPath, { like: preset })}>Begin with {preset}</PlainLink>
      ))}
      <PlainLink to={exportFilesPath}>Begin empty</PlainLink>
    </p>
  </Card>
)

const emptyRows = 5

function readColumns(values: FormValues): OwnColumn[] {
  return Array.from({ length: maxColumns }, (_, at): OwnColumn => [
    values[`column.${at}`]?.trim() ?? '',
    values[`value.${at}`]?.trim() ?? '',
  ]).filter(([name, value]) => name !== '' || value !== '')
}

const toValues = ({
  name,
  columns,
}: {
  readonly name: string
  readonly columns: readonly OwnColumn[]
}): FormValues => ({
  name,
  ...Object.fromEntries(
    columns.flatMap(([column, value], at) => [
      [`column.${at}`, column],
      [`value.${at}`, value],
    ]),
  ),
})

export const exportFilePages = new Hono<DashboardEnv>()

exportFilePages.get(exportFilesPath, forTenant, async (c) => {
  const { name, like = '' } = c.req.query()
  const files = await listOwnFiles(c.get('db'), c.get('tenant').id)
  const file = files.find((each) => each.name === name)
  const preset = Object.entries(presets).find(([each]) => each === like)
  const begun = preset === undefined ? { name: name ?? '', columns: [] } : { name: preset[0], columns: preset[1] }
  return await renderFile(c, { values: toValues(file ?? begun) }, file?.name)
})

async function renderFile(c: Context<DashboardEnv>, form: FormState, saved?: string) {
  const title = saved ?? 'A file of your own'
  const rows = Math.min(readColumns(form.values).length + emptyRows, maxColumns)
  return await render(
    c,
    { title, section: exportPath },
    <div class="narrow">
      <Breadcrumb name="Export garments" path={exportPath} />
      <Heading
        title={title}
        lead="One column a row, in this order: its name, and what it has. Empty rows are left out."
      />
      <PostForm class="card" action={exportFilesPath} form={form} button="Save the file">
        <Field name="name" label="Name of the file" hint="For example My marketplace" />
        <datalist id="values">
          {valueNames.map((name) => (
            <option value={name}></option>
          ))}
        </datalist>
        <p class="hint">
          A value is one of the list, such as Title, Price or Chest (cm), a text for every row in quotes, such as
          "simple", or the name of a value of yours, such as Shelf.
        </p>
        <Table names={['Column', 'Value']}>
          {Array.from({ length: rows }, (_, at) => (
            <tr>
              <td data-label="Column">
                <input
                  name={`column.${at}`}
                  value={form.values[`column.${at}`] ?? ''}
                  aria-label={`Name of column ${at + 1}`}
                  autocomplete="off"
                  maxlength={128}
                />
              </td>
              <td data-label="Value">
                <input
                  name={`value.${at}`}
                  value={form.values[`value.${at}`] ?? ''}
                  aria-label={`Value of column ${at + 1}`}
                  list="values"
                  autocomplete="off"
                  maxlength={512}
                />
              </td>
            </tr>
          ))}
        </Table>
      </PostForm>
      {saved !== undefined && (
        <Confirm summary="Remove the file" action={exportFilesRemovalPath} fields={{ name: saved }}>
          <p>Its columns are forgotten. What was exported stays where it is.</p>
          <button class="bad">Remove it now</button>
        </Confirm>
      )}
    </div>,
  )
}

exportFilePages.post(exportFilesPath, formBody, forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  const result = await submitForm(c, ['name'], async (values) => {
    await limitWrites(c.env, tenantId)
    const file = parseFields(ownFileSchema, { name: values['name'] ?? '', columns: readColumns(values) })
    await putOwnFile(c.get('db'), tenantId, file, madeBy(c))
  })
  if (!result.ok) return await renderFile(c, result.form)
  return c.redirect(`${exportPath}?done=file-saved`, 303)
})

exportFilePages.post(exportFilesRemovalPath, formBody, forTenant, async (c) => {
  const { name = '' } = await readForm(c)
  await removeOwnFile(c.get('db'), c.get('tenant').id, name, madeBy(c))
  return c.redirect(exportPath, 303)
})
