import { languageNames, languages, readLanguage } from '../../garments/listing-texts/listing-words.ts'
import { toText } from '../../garments/listing-texts/write-listing.ts'
import { binDays } from '../../garments/bin.ts'
import {
  Copyable,
  Facts,
  GarmentStatus,
  Heading,
  isActive,
  Notice,
  Original,
  Section,
  When,
} from '../parts/elements.tsx'
import { Filter, withQuery, selectedIds } from '../parts/list-parts.tsx'
import { binPath, garmentPath, garmentsPath, garmentsDeletionPath, retryPath, retryWithFilePath } from '../paths.ts'
import { type ListValues, listValues, readList } from './garment-filter.tsx'
import { type GarmentResult, parseAttribute } from '../../garments/garment-fields.ts'
import { sameNoteOf } from '../../garments/duplicates.ts'
import { formatNumber } from '../../garments/list/garment-number.ts'
import { isToBeTagged } from '../../garments/turns.ts'
import { type GarmentRow, hasPicture, machineResult, garmentVersion, getGarment } from '../../garments/garment.ts'
import type { MachineResult } from '../../garments/corrections/apply-corrections.ts'
import { measuredPicture, parsePictures } from '../../garments/pictures/garment-picture.ts'
import { originalPath } from '../../garments/pictures/uploaded-file.ts'
import { findGarmentWithDeliveries } from './find-garment.ts'
import { fromNow } from '../clock.ts'
import { queryCommand } from '../curl.ts'
import { LinePicture, lineField, lineNames, readLines } from '../corrections/measurement-lines.tsx'
import {
  formatBase,
  OtherChanges,
  correctionFields,
  formItemType,
  measurementField,
  mergeStale,
  readCorrection,
} from '../corrections/read-correction.tsx'
import { Allowed, Bin } from '../parts/actions.tsx'
import { CurrentForm, Form, Summary } from '../parts/form-fields.tsx'
import { Shortcuts } from '../parts/shortcuts.tsx'
import { Pictures, PictureStrip } from './garment-pictures.tsx'
import { Failure, GarmentDeliveries, Progress } from './tagging-progress.tsx'
import { History } from '../corrections/history.tsx'
import { keepFormer, undoFields } from '../corrections/undo-save.ts'
import { Toast } from '../parts/done-toast.tsx'
import { confirmedKeyField, labelFormId, LabelValues } from './label-values.tsx'
import { labelKeys } from '../../labels/understanding/understand-label.ts'
import { AboutPicture, MeasurementNotes, Remeasured, resultOf } from './tag-notes.tsx'
import {
  BlockSwitches,
  Essentials,
  ListingText,
  mayEdit,
  MeasurementFields,
  OtherValues,
  ownSpelling,
  readBlocks,
  SaleFields,
  presentValues,
  type SentForm,
  TagFields,
  TagSections,
  readValues,
  textName,
  valueNames,
  withoutGenerated,
} from './garment-form.tsx'
import { type Context, Hono } from 'hono'
import { binGarment } from '../../garments/delete-garment.ts'
import { acceptFiles, acceptUpload } from '../../garments/accept-upload.ts'
import { type ExportDefaults, parseExportDefaults } from '../../exports/shops/export-defaults.ts'
import { parseCorrections } from '../../garments/corrections/correction.ts'
import { omittedByDefault, toListing } from '../../exports/shops/product.ts'
import {
  type DescriptionBlock,
  formatOmitted,
  listingNames,
  parseOmitted,
  readListingValue,
} from '../../garments/listing-values.ts'
import { invalidBody, maxBodyBytes } from '../../platform/http/errors.ts'
import { studioNote } from '../../garments/studios.ts'
import { emptyFile, garmentPageNotFound, notCorrectable } from '../page-errors.ts'
import {
  attributeField,
  drain,
  formBody,
  type FormValues,
  problemsOf,
  readFileForm,
  readForm,
  submit,
} from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { render } from '../parts/layout.tsx'
import { correctorOf, type DashboardEnv, forTenant } from '../viewer.ts'
import { roleNotAllowed } from '../../accounts/account-errors.ts'
import { maxCm, measurementKey, minCm } from '../../garments/corrections/allowed-values.ts'
import { correctGarment, invalidCorrection } from '../../garments/corrections/correct-garment.ts'
import { correctionDeps } from '../../garments/corrections/store-correction.ts'
import { noteSentences } from '../../vision/scene.ts'
import { ignoreMissingGarment } from './bin-page.tsx'
import { nameOf } from './garment-name.ts'
import { maxImageBytes } from '../../platform/outbound/fetch-image.ts'

function Neighbours({ list, previous, next }: { list: ListValues; previous: string | null; next: string | null }) {
  const links = [
    { uuid: previous, rel: 'prev', text: 'Previous', key: 'k' },
    { uuid: next, rel: 'next', text: 'Next', key: 'j' },
  ]
  return (
    <nav class="neighbours" aria-label="Garments of the list">
      <a href={withQuery(garmentsPath, list)} aria-keyshortcuts="u">
        Garments
      </a>
      {links.map(
        ({ uuid, rel, text, key }) =>
          uuid !== null && (
            <a class="button plain" href={garmentPath(uuid, list)} rel={rel} aria-keyshortcuts={key}>
              {text}
            </a>
          ),
      )}
    </nav>
  )
}

const Failed = ({ garment, list, sent, role }: Shown) => {
  const present = presentValues(garment, role)
  const form = sent?.form ?? { values: present }
  return (
    <>
      <Failure garment={garment} list={list} />
      <details class="card" open={sent !== undefined}>
        <summary>Describe by hand</summary>
        <Form action={garmentPath(garment.uuid, list)} form={form} data-renew="" data-guard="">
          {sent?.changes && <OtherChanges changes={sent.changes} />}
          <Summary />
          <p>Enter at least its type and colour. The garment is then complete, without an annotated picture.</p>
          <div data-renewed="tags">
            <TagFields machine={machineResult(garment)} />
          </div>
          <MeasurementFields machine={machineResult(garment)} />
          <div class="actions">
            <button>Save</button>
            <RenewButton />
          </div>
        </Form>
      </details>
      <Original path={originalOf(garment)} />
    </>
  )
}

function originalOf(garment: GarmentRow): string | null {
  const file = measuredPicture(parsePictures(garment))?.file
  return file ? originalPath(garment.tenantId, file.id) : null
}

const RenewButton = () => (
  <button class="plain" name="intent" value="renew" data-without-scripts>
    Show the fields of the chosen item type
  </button>
)

const EditPictures = ({ garment, result, list }: Shown) => (
  <Allowed to="POST /dashboard/garment/pictures">
    <Pictures
      garment={garment}
      images={result.images}
      list={list}
      hasStudio={'Studio' in parseAttribute(garment.attribute)}
    />
  </Allowed>
)

const formId = 'garment-form'

/** Omits notes that the page shows at the top. */
const measurementNotes = (garment: GarmentRow, { notes }: GarmentResult) =>
  notes.filter((note) => note !== sameNoteOf(garment) && note !== noteSentences.several)

const GarmentForm = (props: Shown & { readonly listing: ShownListing }) => {
  const { garment, result, list, listing, language, sent, role } = props
  const { texts, generated, blocks } = listing
  const present = presentValues(garment, role)
  const form = { ...sent?.form, values: { ...present, ...sent?.form.values } }
  const machine = machineResult(garment)
  const attribute = parseAttribute(garment.attribute)
  const isEditor = mayEdit(role)
  const original = originalOf(garment)
  const caption = (
    <>
      {result.description} {original !== null && <a href={original}>Original photograph</a>}
    </>
  )
  return (
    <>
      <AboutPicture {...{ garment, result }} />
      <Remeasured {...{ garment, result }} />
      <form method="post" id={labelFormId} action={garmentPath(garment.uuid, list)} />
      <div class="garment">
        <div class="photograph">
          <CurrentForm.Provider value={form}>
            {hasPicture(garment) ? (
              <LinePicture {...{ garment, result, formId, caption }} />
            ) : (
              <Original path={original} />
            )}
          </CurrentForm.Provider>
          <PictureStrip garment={garment} images={result.images} list={list} ratio={props.cutoutRatio} />
        </div>
        <Form
          class="facts-of"
          id={formId}
          action={garmentPath(garment.uuid, list)}
          form={form}
          fields={{ base: formatBase(present) }}
          data-renew=""
          data-guard=""
        >
          <h1>{props.name}</h1>
          <p class="hint">
            {formatNumber(garment.number)} · <span class="break">{garment.uuid}</span>
          </p>
          {sent?.changes && <OtherChanges changes={sent.changes} />}
          <Summary />
          <Section id="listing" title="Listing" open>
            {isEditor ? (
              <>
                <ListingText name={texts.title} lang={language} rows={2} generated={generated.title} />
                <Essentials attribute={attribute} />
                <SaleFields attribute={attribute} />
              </>
            ) : (
              <Facts facts={Object.entries(attribute)} />
            )}
          </Section>
          <TagSections machine={machine} />
          <Section id="text" title="Description" open="wide">
            {isEditor ? (
              <>
                <ListingText name={texts.description} lang={language} rows={14} generated={toText(generated)} />
                <BlockSwitches {...blocks} />
              </>
            ) : (
              <div lang={language}>
                <Copyable text={toText(listing.exported)} label="text" wrap />
              </div>
            )}
            <Filter
              label="Language of the listing"
              options={languages.map((each) => [each, languageNames[each], each])}
              current={language}
              href={(each) => `${garmentPath(garment.uuid, list)}&language=${each}#text`}
            />
          </Section>
          {result.label !== null && Object.keys(result.label.proof).length > 0 && (
            <Section id="label" title="Label" open="wide">
              <LabelValues garment={garment} label={result.label} />
            </Section>
          )}
          <Section
            id="measurements"
            title={
              <>
                Measurements <span class="hint">in cm</span>
              </>
            }
            open="wide"
          >
            <MeasurementFields machine={shownMachine(machine, result)} />
            <MeasurementNotes {...result} notes={measurementNotes(garment, result)} />
          </Section>
          <StudioNote note={props.studioNote} />
          {isEditor && <OtherValues attribute={attribute} />}
          <div class="save">
            <button>Save</button>
            <button class="plain" name="confirm" value="rest" aria-keyshortcuts="c">
              Save and confirm all tags
            </button>
            <RenewButton />
            <span class="hint" data-unsaved="" role="status"></span>
          </div>
        </Form>
      </div>
      <EditPictures {...props} />
    </>
  )
}

/** Replaces the tagger's lengths by those of lines that a person drew. */
const shownMachine = (machine: MachineResult, { measurements }: GarmentResult): MachineResult => ({
  ...machine,
  measurements: measurements ?? {},
})

const StudioNote = ({ note }: { note: string | null }) =>
  note === null ? null : (
    <Notice tone="calm" title={note}>
      <p>
        <Allowed to="GET /dashboard/tenant" otherwise="An editor or owner can set up the studio.">
          <a href="/dashboard/tenant#studios">Set up the studio</a> for the garments that you upload from then on.
        </Allowed>
      </p>
    </Notice>
  )

const Origin = ({ garment, result, origin, domain, now }: Shown) => {
  const attribute = parseAttribute(garment.attribute)
  const [first] = parsePictures(garment)
  return (
    <Section id="origin" title="Upload details">
      <Facts
        facts={[
          [
            'Image',
            first?.file?.name ?? (
              <a class="break" href={first?.url ?? ''} rel="noopener noreferrer">
                {first?.url}
              </a>
            ),
          ],
          [
            'Uploaded',
            <>
              <When at={garment.createdAt} /> <span class="hint">({fromNow(garment.createdAt, now)})</span>
            </>,
          ],
          ...Object.entries(attribute),
        ]}
      />
      <details class="json" id="json">
        <summary>For developers</summary>
        <Copyable text={queryCommand({ origin, domain, uuid: garment.uuid })} label="query command" />
        <Copyable text={JSON.stringify(result, null, 2)} label="JSON" />
      </details>
    </Section>
  )
}

export const garmentPages = new Hono<DashboardEnv>()

garmentPages.get('/dashboard/garment', forTenant, async (c) => await renderGarment(c, c.req.query('uuid')))

/** Reads what the page shows. `sent` is a submitted form that was not stored. */
async function findShown(c: Context<DashboardEnv>, uuid: string, sent: SentForm | undefined) {
  const { language } = c.req.query()
  const list = listValues(c.req.query())
  const isOfList = Object.keys(list).length > 0
  // Without a list, the neighbours are the previous and next complete garments.
  const found = await findGarmentWithDeliveries(
    c.get('db'),
    c.get('tenant').id,
    uuid,
    isOfList ? readList(list, c.get('viewer').clock) : { status: 'complete' },
  )
  if (found === null) throw garmentPageNotFound()
  c.set('uuid', uuid)
  const { tenant, role } = c.get('viewer')
  const result = resultOf(c, found.garment)
  const { origin } = new URL(c.req.url)
  const attribute = parseAttribute(found.garment.attribute)
  const confirmed = Object.keys(parseCorrections(found.garment.corrections).measurements)
  const chosen = parseExportDefaults(found.storedDefaults, c.get('tenant').currency)
  const defaults = { ...chosen, language: language === undefined ? chosen.language : readLanguage(language) }
  const isDefault = defaults.language === chosen.language
  const listing = result.complete
    ? showListing({ ...result, attribute, confirmed }, defaults, {
        isDefault,
        chosen: sent && readBlocks(sent.form.values),
      })
    : null
  return {
    ...found,
    list,
    result,
    listing,
    role,
    sent,
    origin,
    name: nameOf(found.garment, result.tag),
    language: defaults.language,
    cutoutRatio: defaults.cutout_ratio,
    studioNote: studioNote(found.studios, attribute),
    domain: tenant?.domain ?? '',
    now: Date.now(),
  }
}

type Shown = Awaited<ReturnType<typeof findShown>>
type ShownListing = NonNullable<Shown['listing']>

interface ShownTexts {
  /** True if the defaults have their own language. */
  readonly isDefault: boolean
  /** The blocks that a submitted form omits. */
  readonly chosen: readonly DescriptionBlock[] | undefined
}

/** Writes the exported listing, and what its texts would be without the seller's own. */
function showListing(
  garment: Parameters<typeof toListing>[0],
  defaults: ExportDefaults,
  { isDefault, chosen }: ShownTexts,
) {
  const { attribute } = garment
  const textLanguage = { language: defaults.language, isDefault }
  const texts = {
    title: textName(attribute, 'Title', textLanguage),
    description: textName(attribute, 'Description', textLanguage),
  }
  const byDefault = omittedByDefault(defaults)
  const omitted = chosen ?? parseOmitted(readListingValue(attribute, listingNames.omits)) ?? byDefault
  const others = Object.entries(attribute).filter(([name]) => name !== texts.title && name !== texts.description)
  const omits = [ownSpelling(attribute, listingNames.omits[0]), formatOmitted(omitted)] as const
  return {
    exported: toListing(garment, defaults),
    generated: toListing({ ...garment, attribute: Object.fromEntries([...others, omits]) }, defaults),
    texts,
    blocks: { omitted, byDefault },
  }
}

async function renderGarment(c: Context<DashboardEnv>, uuid = '', sent?: SentForm) {
  const shown = await findShown(c, uuid, sent)
  const { garment, deliveries, result, list, listing, name, now } = shown
  // Also updates the page while a delivery attempt is due within seconds.
  const isSoon = deliveries.some(
    ({ delivery }) => delivery.status === 'pending' && (delivery.nextAttemptAt ?? 0) < now + 15_000,
  )
  return await render(
    c,
    { title: name, section: garmentsPath },
    <>
      <Neighbours list={list} previous={shown.previous} next={shown.next} />
      <div
        id="live"
        data-live={isActive(garment.status) || isToBeTagged(garment) || isSoon ? '' : undefined}
        data-interim={isActive(garment.status) ? '' : undefined}
        data-announce={isToBeTagged(garment) ? 'Garment: being measured again' : `Garment: ${garment.status}`}
      >
        {listing === null ? (
          <>
            <Heading title={<span class="break">{name}</span>}>
              <GarmentStatus status={garment.status} />
            </Heading>
            {isActive(garment.status) && <Progress status={garment.status} retry={result.retry} />}
            {garment.status === 'failed' && <Failed {...shown} />}
          </>
        ) : (
          <GarmentForm {...shown} listing={listing} />
        )}
        {listing === null && (
          <>
            <PictureStrip garment={garment} images={result.images} list={list} ratio={shown.cutoutRatio} />
            <EditPictures {...shown} />
          </>
        )}
        <GarmentDeliveries deliveries={deliveries} now={now} />
        <Origin {...shown} />
      </div>
      <History garment={garment} list={list} />
      <Allowed to="POST /dashboard/garment/delete">
        <Bin what="garment" action={withQuery('/dashboard/garment/delete', { uuid: garment.uuid, ...list })}>
          It goes into the <a href={binPath}>bin</a>, which keeps it for {binDays} days.
          {deliveries.length > 0 &&
            ' Endpoints that subscribe to deletions are notified. The record of its deliveries is removed.'}
        </Bin>
      </Allowed>
      {c.req.query('done') === 'saved' && <SavedToast undo={undoFields(c, garment)} path={garmentPath(uuid, list)} />}
      <Shortcuts of={['garment', 'lines']} />
      <script src="/assets/scripts/fold.js"></script>
      <script src="/assets/scripts/lines.js" type="module"></script>
      <script src="/assets/scripts/correction.js" type="module"></script>
      <script src="/assets/scripts/upload/add-pictures.js" type="module"></script>
      <script src="/assets/scripts/picture-strip.js" type="module"></script>
    </>,
  )
}

const SavedToast = ({ undo, path }: { undo: FormValues | null; path: string }) => (
  <Toast text="Saved." undo={undo === null ? undefined : { action: path, fields: undo }}>
    {undo === null && (
      <p>
        <a href="#history">Undo in the history</a>
      </p>
    )}
  </Toast>
)

/** Stores submitted fields. If somebody else has changed the garment meanwhile, shows their changes first. */
garmentPages.post('/dashboard/garment', formBody, forTenant, async (c) => {
  const values = withoutGenerated(await readForm(c))
  const { role } = c.get('viewer')
  const isEdit = Object.keys(values).some((name) => /^(attribute\.|other$|value$|blocks$)/.test(name))
  if (isEdit && !mayEdit(role)) throw roleNotAllowed(role, 'editor')
  const garment = await readCorrectable(c, c.req.query('uuid'))
  const { uuid } = garment
  const tenantId = c.get('tenant').id
  const present = presentValues(garment, role)
  const stale = values['base'] === undefined ? null : mergeStale(values['base'], present, values)
  if (stale !== null && stale.changes.length > 0) {
    c.status(409)
    return await renderGarment(c, uuid, { form: { values: stale.values }, changes: stale.changes })
  }
  if (values['intent'] === 'renew') return await renderGarment(c, uuid, { form: { values } })
  const isUndo = values['intent'] === 'undo'
  const machine = machineResult(garment)
  const attribute = parseAttribute(garment.attribute)
  const names = lineNames(resultOf(c, garment))
  const result = await submit(c, async () => {
    const current = parseCorrections(garment.corrections)
    const { measurements: read, ...correction } = readCorrection(values, current, machine, values['confirm'] === 'rest')
    const measurements = { ...read }
    const unread = Object.keys(measurements).filter((name) => Number.isNaN(measurements[name]))
    if (unread.length > 0)
      throw invalidCorrection(
        unread.map((name) => `measurements.${name}: must be a number of ${minCm} to ${maxCm} cm, such as 68.5`),
      )
    const lines = readLines(values, names)
    // A moved line gives a new length, so an unchanged measurement must not confirm the old one.
    for (const name of Object.keys(lines))
      if (!values[measurementField(measurementKey(name))]) delete measurements[measurementKey(name)]
    const edited = isEdit ? { attribute: readValues(attribute, values) } : {}
    const tag = { ...correction.tag, ...readConfirmed(values, resultOf(c, garment).label) }
    const change = { uuid, patch: { ...correction, tag, measurements, lines, ...edited }, by: correctorOf(c) }
    // An undo must not overwrite what somebody has changed since.
    const ifMatch = isUndo ? values['version'] : garmentVersion(garment)
    const deps = correctionDeps({ env: c.env, db: c.get('db') })
    return await correctGarment(deps, tenantId, { ...change, ifMatch }, Date.now())
  })
  // Scripts of the review and of lists stay on their page.
  if (c.req.header('accept') === 'application/json')
    return result.ok ? c.body(null, 204) : c.json({ problems: result.failure.problems }, result.failure.status)
  if (result.ok) {
    if (!isUndo) keepFormer(c, result.value, present, presentValues(result.value, role))
    return c.redirect(garmentPath(uuid, { ...listValues(c.req.query()), done: isUndo ? 'undone' : 'saved' }), 303)
  }
  const fields = [
    ...correctionFields(formItemType(values, machine)),
    ...valueNames(attribute).map(attributeField),
    ...names.map(lineField),
    'other',
    'value',
  ]
  const form = { values: { ...present, ...values }, problems: problemsOf(result.failure, fields) }
  return await renderGarment(c, uuid, { form })
})

/** Returns the value of the label that the pressed button confirms. */
function readConfirmed(values: FormValues, label: GarmentResult['label']): Readonly<Record<string, string>> {
  const key = labelKeys.find((each) => each === values[confirmedKeyField])
  const value = key && label?.[key]
  return key === undefined || value === undefined ? {} : { [key]: value }
}

async function readCorrectable(c: Context<DashboardEnv>, uuid = ''): Promise<GarmentRow> {
  c.set('uuid', uuid)
  const tenantId = c.get('tenant').id
  const garment = await getGarment(c.get('db'), tenantId, uuid)
  if (garment.status !== 'failed' && garment.status !== 'complete') throw notCorrectable()
  return garment
}

/** The list then offers to restore these garments. */
const binnedPath = (c: Context, done: string, uuids: readonly string[]) =>
  [
    withQuery(garmentsPath, { ...listValues(c.req.query()), done }),
    ...uuids.map((uuid) => `binned=${encodeURIComponent(uuid)}`),
  ].join('&')

garmentPages.post('/dashboard/garment/delete', formBody, forTenant, async (c) => {
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  const { TAGGING_QUEUE: taggingQueue, WEBHOOK_QUEUE: webhookQueue } = c.env
  const deps = { db: c.get('db'), taggingQueue, webhookQueue }
  await binGarment(deps, c.get('tenant').id, uuid, Date.now(), c.get('viewer').actor)
  return c.redirect(binnedPath(c, 'deleted', [uuid]), 303)
})

/** Moves the selected garments to the bin. Ignores garments that are already removed. */
garmentPages.post(garmentsDeletionPath, formBody, forTenant, async (c) => {
  const { TAGGING_QUEUE: taggingQueue, WEBHOOK_QUEUE: webhookQueue } = c.env
  const deps = { db: c.get('db'), taggingQueue, webhookQueue }
  const uuids = selectedIds(await readForm(c))
  if (uuids.length === 0) throw invalidBody(['Select at least one garment in the list.'])
  const tenantId = c.get('tenant').id
  await limitWrites(c.env, tenantId)
  for (const uuid of uuids)
    await ignoreMissingGarment(async () => binGarment(deps, tenantId, uuid, Date.now(), c.get('viewer').actor))
  return c.redirect(binnedPath(c, 'all_deleted', uuids), 303)
})

garmentPages.post(retryPath, formBody, forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  const { uuid } = await readForm(c)
  await limitWrites(c.env, tenantId)
  const { images, ...stored } = await getStored(c, uuid)
  await acceptUpload({ env: c.env, db: c.get('db') }, tenantId, { ...stored, images }, stored.origin, Date.now())
  return c.redirect(garmentPath(stored.uuid, listValues(c.req.query())), 303)
})

garmentPages.post(retryWithFilePath, forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  const result = await submit(c, async () => {
    await limitWrites(c.env, tenantId)
    const { fields, file } = await readFileForm(c, maxImageBytes)
    if (file.size === 0) throw emptyFile()
    const stored = await getStored(c, fields['uuid'])
    await acceptFiles({ env: c.env, db: c.get('db') }, tenantId, { ...stored, file }, Date.now())
    return stored.uuid
  })
  if (result.ok) return c.redirect(garmentPath(result.value, listValues(c.req.query())), 303)
  await drain(c.req.raw, maxImageBytes + maxBodyBytes)
  throw result.failure
})

async function getStored(c: Context<DashboardEnv>, uuid = '') {
  c.set('uuid', uuid)
  const garment = await getGarment(c.get('db'), c.get('tenant').id, uuid)
  const { origin } = new URL(c.req.url)
  const images = parsePictures(garment).map(({ url, kind }) => ({ url: url ?? '', kind: kind ?? undefined }))
  return { uuid, images, attribute: parseAttribute(garment.attribute), origin }
}
