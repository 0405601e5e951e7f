import {
  ageGroups,
  cutoutRatios,
  availabilities,
  ebaySites,
  firstPictures,
  defaultNames,
  type ExportDefaults,
  exportDefaultsSchema,
  putExportDefaults,
} from '../exports/shops/export-defaults.ts'
import { formatNumber } from '../garments/list/garment-number.ts'
import { conditions, descriptionBlocks } from '../garments/listing-values.ts'
import { languageNames, languages } from '../garments/listing-texts/listing-words.ts'
import { wearers } from '../vision/attributes/wearer.ts'
import { type FormValues, attributeField, formBody, parseFields, problemsOf, readForm, submit } from './form.ts'
import { Check, Choice, Field, Form, type FormState, idOf, PostForm, TextArea } from './parts/form-fields.tsx'
import { exportDefaultsPath, exportFilePath, exportPath, garmentPath, vintedPath } from './paths.ts'
import { ownFormat, readOwnFormat } from '../exports/own-files.ts'
import { exportFormats, isShopFormat, streamExport } from '../exports/stream-export.ts'
import { OwnFiles } from './export-files-page.tsx'
import { countGarments, formatCount } from '../platform/format-count.ts'
import { type ExportReport, type NamedGarment, usualMaxLookedThrough, checkExport } from '../exports/check-export.ts'
import { Table } from './parts/list-parts.tsx'
import { Card, Heading, Notice } from './parts/elements.tsx'
import { shopFormats } from '../exports/shops/shop-formats.ts'
import { findExportState, recordExport } from '../exports/last-exports.ts'
import { filterFields as filterNames, GarmentFilters, filterValues, readFilter } from './garments/garment-filter.tsx'
import { z } from 'zod'
import { type Context, Hono } from 'hono'
import { writeRow } from '../platform/csv/write-csv.ts'
import { maxLines } from '../imports/import-errors.ts'
import { storeEdits } from './garments/edit-page.tsx'
import { toSlug } from '../exports/shops/product.ts'
import { invalidBody } from '../platform/http/errors.ts'
import { settingsOf } from '../settings.ts'
import { dayOf, toIso } from '../time.ts'
import { exportedAt } from '../imports/import-columns.ts'
import { limitExports, limitWrites } from './limit-writes.ts'
import { sendPictures, sendSelectedPictures } from './export-pictures.ts'
import type { Clock } from './clock.ts'
import { render } from './parts/layout.tsx'
import { type DashboardEnv, madeBy, forTenant } from './viewer.ts'

const prefix = 'default.'

const ratioNames = { '1:1': 'Square', '4:5': 'Portrait, 4:5', '3:4': 'Portrait, 3:4' } as const

/** Prefixes the names of fields, so that they differ from the export form on the same page. */
export const toFields = <T,>(values: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]))

const fromFields = (values: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value.trim()]] : [],
    ),
  )

/** Form for default values, used for garments without a value of their own. */
const DefaultsForm = ({ form }: { form: FormState }) => (
  <Card id="defaults" title="Defaults for shops">
    <p class="lead">Values for garments that have none of their own.</p>
    <details open={form.problems !== undefined}>
      <summary>Show and change the defaults</summary>
      <PostForm action={exportDefaultsPath} form={form} button="Save defaults" kind="plain">
        <div class="pair">
          <Choice name="default.language" label="Language" names={languageNames} values={languages} />
          <Field name="default.brand" label="Brand" hint="Of garments without one." optional />
          <Field name="default.price" label="Price" hint="For example 12.50" optional />
          <Field name="default.currency" label="Currency" hint="For example EUR" optional />
          <Field name="default.link" label="Link to the garment" hint={linkHint} optional />
          <Choice name="default.condition" label="Condition" empty="Unknown" values={conditions} optional />
          <Field name="default.stock" label="Stock" hint="How many there are of each." optional />
          <Choice
            name="default.availability"
            label="Availability"
            empty="Unknown"
            values={availabilities}
            names={Object.fromEntries(availabilities.map((each) => [each, each.replaceAll('_', ' ')]))}
            optional
          />
          <Choice name="default.gender" label="For" empty="Unknown" values={wearers} optional />
          <Choice name="default.age_group" label="Age group" empty="Unknown" values={ageGroups} optional />
          <Field name="default.size" label="Size" hint="For example One size" optional />
          <Choice name="default.ebay_site" label="eBay site" values={ebaySites.map(({ name }) => name)} />
          <Field
            name="default.ebay_category"
            label="eBay category"
            hint="A number. Without one, it follows from type and gender."
            optional
          />
          <TextArea
            name="default.ebay_categories"
            label="eBay categories"
            hint="One per line for a type and a wearer, such as Dress, girls: 12345"
            optional
          />
          <Choice
            name="default.first_picture"
            label="First picture"
            hint="Where a garment can be cut out; your photographs follow."
            empty="Your photograph"
            names={{ 'cut-out': 'Cut out on white' }}
            values={firstPictures}
            optional
          />
          <Choice name="default.cutout_ratio" label="Canvas of cut-outs" names={ratioNames} values={cutoutRatios} />
          {descriptionBlocks.map((block) => (
            <Choice
              name={`default.without_${block}`}
              label={`Descriptions: ${block}`}
              empty="Included"
              names={{ yes: 'Left out' }}
              values={['yes']}
              optional
            />
          ))}
        </div>
      </PostForm>
    </details>
  </Card>
)

const linkHint = (
  <>
    With <code>{'{uuid}'}</code>, <code>{'{sku}'}</code> or <code>{'{handle}'}</code>, for example
    https://example.com/products/{'{handle}'}
  </>
)

const formFormats = [...exportFormats, 'pictures'] as const

const formatNames: Readonly<Record<Exclude<(typeof formFormats)[number], 'own'>, string>> = {
  pictures: 'Pictures',
  csv: 'CSV',
  json: 'JSON',
  shopify: 'Shopify',
  google: 'Google Merchant',
  ebay: 'eBay',
  woocommerce: 'WooCommerce',
  vinted: 'Vinted, for tools that list on several markets',
}

const nameOfFormat = (format: string): string =>
  Object.entries(formatNames).find(([known]) => known === format)?.[1] ?? readOwnFormat(format) ?? format

const noneText = (hasMore: boolean) =>
  hasMore
    ? `None of the first ${formatCount(usualMaxLookedThrough)} garments matches; choose a later day of upload.`
    : 'No garments match.'

const GarmentLink = ({ garment: { uuid, number, title, picture } }: { garment: NamedGarment }) => (
  <a class="break" href={garmentPath(uuid)}>
    {picture !== '' && <img src={picture} alt="" width="48" height="48" loading="lazy" />} {title}{' '}
    <span class="hint">{formatNumber(number)}</span>
  </a>
)

const Report = ({ report, name, defaults }: { report: ExportReport; name: string; defaults: ExportDefaults }) => {
  const { checked, hasMore, refused, lacking, counts, named, toEnd, unknownWearers, rules } = report
  const ready = checked - refused - lacking
  return (
    <Card id="report" title={`Check for ${name}`}>
      <p>
        {hasMore ? 'Of the first ' : 'Of '}
        {countGarments(checked)}, the file omits {refused}, because {name} would refuse {refused === 1 ? 'it' : 'them'}.{' '}
        {ready} {ready === 1 ? 'has' : 'have'} everything, and {lacking} {lacking === 1 ? 'has' : 'have'} problems that
        do not stop the import.
      </p>
      {toEnd.length > 0 && (
        <Notice tone="bad" title={`End these listings on ${name}: the garments are sold or withdrawn.`}>
          <ul>
            {toEnd.map((garment) => (
              <li>
                <GarmentLink garment={garment} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {unknownWearers > 0 && (
        <Form class="inline" action={exportDefaultsPath} fields={toFields({ ...defaults, gender: undefined })}>
          <Choice
            name="default.gender"
            label={`Who wears the ${countGarments(unknownWearers)} whose wearer is unknown?`}
            empty="Unknown"
            values={wearers}
            optional
          />
          <button class="plain">Save for all of them</button>
        </Form>
      )}
      {counts.length === 0 ? (
        <Notice tone="good" title={checked === 0 ? noneText(hasMore) : 'Nothing is missing.'} />
      ) : (
        <>
          <ul>
            {counts.map(({ column, problem, isRefused, count }) => (
              <li>
                <strong>{column}</strong> {problem}: {countGarments(count)}
                {isRefused ? '' : ' (imported without it)'}
              </li>
            ))}
          </ul>
          <p class="hint">
            Values for all garments are in the <a href="#defaults">defaults</a>. Those of one garment are on its page.{' '}
            <a href="/docs/guides/selling#your-own-values">Their names</a>
          </p>
          <Table names={['Garment', 'Problems']}>
            {named.map((garment) => (
              <tr>
                <th scope="row">
                  <GarmentLink garment={garment} />
                </th>
                <td data-label="Problems" class="break">
                  {garment.problems.map(({ column, problem }) => `${column} ${problem}`).join('; ')}
                </td>
              </tr>
            ))}
          </Table>
          {refused + lacking > named.length && <p>And {countGarments(refused + lacking - named.length)} more.</p>}
        </>
      )}
      <p class="hint break">
        Rules from {rules.source}, read on {rules.read}. {rules.unverified}
      </p>
    </Card>
  )
}

const FileRow = ({ format, lastAt }: { format: string; lastAt: string | undefined }) => (
  <li>
    <label class="pick">
      <input
        type="checkbox"
        id={idOf(`file ${format}`)}
        checked={!untickedFormats.includes(format)}
        data-remembered=""
        data-with-scripts=""
        hidden
      />
      <span>
        {nameOfFormat(format)}
        <span class="hint" id={idOf(`exported ${format}`)}>
          {[fileHints[format] ?? '', lastAt === undefined ? '' : `Last whole export: ${lastAt}`].join(' ').trim() ||
            'Not exported yet'}
        </span>
      </span>
    </label>
    <div class="actions">
      {format === 'vinted' && <a href={vintedPath}>Copy by hand</a>}
      {isShopFormat(format) && (
        <button class="quiet" formmethod="get" formaction={exportPath} name="check" value={format}>
          Check<span class="visually-hidden"> for {nameOfFormat(format)}</span>
        </button>
      )}
      <button class="plain" name="format" value={format} data-shop={isShopFormat(format) ? '' : undefined}>
        Download<span class="visually-hidden"> {nameOfFormat(format)}</span>
      </button>
    </div>
  </li>
)

const untickedFormats: readonly string[] = ['pictures', 'csv', 'json']

const fileHints: Readonly<Record<string, string>> = {
  vinted: 'Vinted itself takes no file from sellers.',
  pictures: 'ZIP files with pictures named by stock number, such as G-1042-1.jpg.',
  csv: 'Every value, to be edited in a spreadsheet and added again.',
  json: 'Every value, for programs.',
}

const fields = z.object({
  format: z.enum(formFormats, 'must be a known format'),
  language: z.enum(languages, 'must be a known language').optional(),
})

/** Reads the export form. Browsers also send empty fields. */
function readExport(values: FormValues, clock: Clock) {
  const ownName = readOwnFormat(values['format'] ?? '')
  const asked = { ...values, ...(ownName !== undefined && { format: 'own' }) }
  const { format, language } = parseFields(fields, { ...asked, language: values['language'] || undefined })
  const filters = filterValues(values)
  return {
    format,
    ownName,
    language,
    filter: readFilter(filters, clock),
    /** True if every garment is exported. Only then can the next export continue where this one ends. */
    isUnfiltered: Object.keys(filters).length === 0,
    isNewOnly: values['since'] === 'last',
    withIncomplete: values['incomplete'] === 'yes',
    marksListed: values['mark'] === 'yes',
  }
}

export const exportPages = new Hono<DashboardEnv>()

exportPages.get(exportPath, forTenant, async (c) => await renderExport(c))

exportPages.post(exportFilePath, formBody, forTenant, async (c) => {
  const values = await readForm(c)
  const { format, ownName, language, filter, isUnfiltered, isNewOnly, withIncomplete, marksListed } = readExport(
    values,
    c.get('viewer').clock,
  )
  const [nowMs, db, tenant] = [Date.now(), c.get('db'), c.get('tenant')]
  await limitExports(c.env, tenant.id)
  if (format === 'pictures' && c.req.query('selected') !== undefined) return await sendSelectedPictures(c, values)
  const state = await findExportState(db, tenant.id, tenant.currency)
  const defaults = { ...state.defaults, language: language ?? state.defaults.language }
  const file = state.files.find(({ name }) => name === ownName)
  if (format === 'own' && file === undefined) throw invalidBody(['format: there is no such file'])
  // Each of the tenant's own files continues from its own last export.
  const stored = ownName === undefined ? format : ownFormat(ownName)
  const since = isNewOnly ? state.last.get(stored) : undefined
  if (format === 'pictures') return await sendPictures(c, values, { filter: { ...filter, since }, isUnfiltered })
  const onSent = async (sent: Parameters<typeof recordExport>[3]) => await recordExport(db, tenant.id, stored, sent)
  const markListed = async (uuids: readonly string[]) => {
    // One import changes at most `maxLines` garments.
    for (let from = 0; from < uuids.length; from += maxLines) {
      const part = uuids.slice(from, from + maxLines)
      // The time keeps a garment that was sold after the file from being marked as listed.
      const at = toIso(nowMs)
      const header = writeRow(['uuid', attributeField('Stage'), exportedAt])
      const text = header + part.map((uuid) => writeRow([uuid, 'listed', at])).join('')
      await storeEdits(c, { name: `Stage of ${countGarments(part.length)}`, text, removed: [], overwrites: false })
    }
  }
  const stream = await streamExport(
    db,
    tenant.id,
    { ...filter, format, columns: file?.columns, defaults, since, withIncomplete },
    {
      publicUrl: settingsOf(c.env).PUBLIC_URL,
      nowMs,
      onSent: isUnfiltered ? onSent : undefined,
      onWritten: marksListed ? markListed : undefined,
    },
  )
  const [extension, type] = format === 'json' ? ['json', 'application/json'] : ['csv', 'text/csv; charset=utf-8']
  const name = isShopFormat(format) ? `${format}-` : ownName === undefined ? '' : `${toSlug(ownName)}-`
  const today = dayOf(nowMs)
  return c.body(stream, 200, {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="garments-${name}${today}.${extension}"`,
  })
})

exportPages.post(exportDefaultsPath, formBody, forTenant, async (c) => {
  const values = await readForm(c)
  const tenantId = c.get('tenant').id
  const result = await submit(c, async () => {
    await limitWrites(c.env, tenantId)
    await putExportDefaults(c.get('db'), tenantId, parseFields(exportDefaultsSchema, fromFields(values)), madeBy(c))
  })
  if (result.ok) return c.redirect(`${exportPath}?done=defaults-saved#defaults`, 303)
  const problems = problemsOf(result.failure, defaultNames)
  const form = { values, problems: { ...problems, byField: toFields(problems.byField) } }
  return await renderExport(c, form)
})

async function renderExport(c: Context<DashboardEnv>, defaultsForm?: FormState) {
  const [db, tenant, values] = [c.get('db'), c.get('tenant'), c.req.query()]
  const { defaults, last, files } = await findExportState(db, tenant.id, tenant.currency)
  const report = values['check'] === undefined ? null : await makeReport(c, values, { defaults, last })
  const form = { values: { language: defaults.language, ...values } }
  const lastOf = (format: string) => {
    const exported = last.get(format)
    return exported && c.get('viewer').clock.text(exported.exportedAt).slice(0, -':00'.length)
  }
  return await render(
    c,
    { title: 'Export garments', section: exportPath },
    <>
      <Heading
        title="Export garments"
        lead="Files with titles and texts for customers. Uncertain values are omitted."
      />
      <div id="checked" aria-live="polite">
        {report !== null && <Report report={report} name={formatNames[report.format]} defaults={defaults} />}
      </div>
      <div class="many">
        <div>
          <Form class="card" action={exportFilePath} form={form} data-download="">
            {/* Enter activates a form's first button, so the first button does nothing. */}
            <button formmethod="dialog" hidden></button>
            <ul class="files" aria-label="Files">
              {[...shopFormats, ...files.map(({ name }) => ownFormat(name)), 'pictures', 'csv', 'json'].map(
                (format) => (
                  <FileRow format={format} lastAt={lastOf(format)} />
                ),
              )}
            </ul>
            <button type="button" data-download-ticked="" data-with-scripts="" hidden>
              Download the selected files
            </button>
            <Check name="mark" label="Mark what is in the file as listed" />
            <Check name="since" value="last" label="Only what is new since the last whole export" />
            <Check name="incomplete" label="Also garments that lack something that the shop requires" />
            <Choice name="language" label="Language of titles and texts" names={languageNames} values={languages} />
            <details open={filterNames.some((name) => (values[name] ?? '') !== '')}>
              <summary>Only some garments</summary>
              <div class="pair">
                <Field
                  name="search"
                  label="Words"
                  hint="Of type, colour, brand, title, number or your own values."
                  optional
                />
                <Choice
                  name="status"
                  label="Status"
                  hint="A shop's file has complete garments only."
                  empty="All"
                  values={['complete', 'failed', 'waiting']}
                  optional
                />
              </div>
              <GarmentFilters />
              <p class="hint">A file of only some garments does not count as a whole export.</p>
            </details>
          </Form>
          <OwnFiles files={files} />
        </div>
        <DefaultsForm form={defaultsForm ?? { values: toFields(defaults) }} />
      </div>
      <script src="/assets/scripts/export.js" type="module"></script>
    </>,
  )
}

async function makeReport(
  c: Context<DashboardEnv>,
  values: FormValues,
  { defaults, last }: Pick<Awaited<ReturnType<typeof findExportState>>, 'defaults' | 'last'>,
) {
  const tenantId = c.get('tenant').id
  const { format, filter, isNewOnly } = readExport({ ...values, format: values['check'] ?? '' }, c.get('viewer').clock)
  if (!isShopFormat(format)) return null
  await limitExports(c.env, tenantId)
  const since = isNewOnly ? last.get(format) : undefined
  const publicUrl = settingsOf(c.env).PUBLIC_URL
  const checked = { ...filter, format, defaults, publicUrl, since }
  return { format, ...(await checkExport(c.get('db'), tenantId, checked)) }
}
