import { type Language, languageNames, languages } from '../../garments/listing-texts/listing-words.ts'
import { type Listing, toText } from '../../garments/listing-texts/write-listing.ts'
import type { Role } from '../../accounts/permissions.ts'
import { binDays } from '../../garments/bin.ts'
import { Card, Copyable, Facts, GarmentStatus, Heading, isActive, Notice, Original, When } from '../parts/text.tsx'
import { Filter, withQuery } from '../parts/list.tsx'
import { binPath, garmentPath, garmentsPath } from '../paths.ts'
import type { ListValues } from './filter.tsx'
import { type GarmentResult, parseAttribute } from '../../garments/fields.ts'
import { sameNoteOf } from '../../garments/duplicates.ts'
import { garmentNumber, shownNumber, spacedNumber } from '../../garments/list/garment-number.ts'
import { type GarmentRow, hasPicture, machineResult } from '../../garments/garment.ts'
import type { MachineResult } from '../../garments/corrections/apply-corrections.ts'
import { measuredUrl } from '../../garments/pictures/images.ts'
import { originalPath, uploadedFileName } from '../../garments/pictures/uploaded-file.ts'
import type { DeliveryTo } from './find-garment.ts'
import { fromNow } from '../clock.ts'
import { queryCommand } from '../curl.ts'
import { LinePicture } from '../corrections/lines.tsx'
import { formatBase, OtherChanges } from '../corrections/read-correction.tsx'
import { Allowed, Bin } from '../parts/actions.tsx'
import { Form, Summary } from '../parts/fields.tsx'
import { Shortcuts } from '../parts/shortcuts.tsx'
import { Pictures } from './pictures.tsx'
import { Failure, GarmentDeliveries, Progress } from './progress.tsx'
import { History } from '../corrections/history.tsx'
import { MeasurementNotes, Remeasured, SamePicture, SecondOpinion } from './tags.tsx'
import {
  Essentials,
  ListingText,
  mayEdit,
  MeasurementFields,
  OtherValues,
  presentValues,
  type SentForm,
  TagFields,
} from './garment-form.tsx'

/** Links back to the list that a garment was opened from, and to its neighbours there. */
function Neighbours({ list, previous, next }: { list: ListValues; previous: string | null; next: string | null }) {
  const links = [
    { uuid: previous, rel: 'prev', text: 'Previous', key: 'k' },
    { uuid: next, rel: 'next', text: 'Next', key: 'j' },
  ]
  return (
    <p class="crumb">
      <a href={withQuery(garmentsPath, list)} aria-keyshortcuts="u">
        Garments
      </a>
      {links.map(
        ({ uuid, rel, text, key }) =>
          uuid !== null && (
            <>
              {' · '}
              <a href={garmentPath(uuid, list)} rel={rel} aria-keyshortcuts={key}>
                {text}
              </a>
            </>
          ),
      )}
    </p>
  )
}

interface GarmentPageProps {
  readonly garment: GarmentRow
  readonly name: string
  readonly deliveries: readonly DeliveryTo[]
  readonly result: GarmentResult
  /** The parameters of the list that the page was opened from; empty for none. */
  readonly list: ListValues
  /** The uuids of its neighbours in that list. */
  readonly previous: string | null
  readonly next: string | null
  /** In the language of the page's URL, otherwise the tenant's; null until complete. */
  readonly listing: Listing | null
  readonly language: Language
  /** A note about the garment's studio, if any. */
  readonly studioNote: string | null
  readonly role: Role
  readonly sent: SentForm | undefined
  readonly origin: string
  readonly domain: string
  readonly now: number
}

export const GarmentPage = (props: GarmentPageProps) => {
  const { garment, deliveries, result, list, listing } = props
  // Also follow a delivery whose next attempt is due within seconds.
  const isSoon = deliveries.some(
    ({ delivery }) => delivery.status === 'pending' && (delivery.nextAttemptAt ?? 0) < props.now + 15_000,
  )
  return (
    <>
      <Neighbours list={list} previous={props.previous} next={props.next} />
      <div
        id="live"
        data-live={isActive(garment.status) || garment.dueAt !== null || isSoon ? '' : undefined}
        data-announce={garment.dueAt === null ? `Garment: ${garment.status}` : 'Garment: being measured again'}
      >
        {listing === null ? (
          <>
            <Heading title={<span class="break">{props.name}</span>}>
              <GarmentStatus status={garment.status} />
            </Heading>
            {isActive(garment.status) && <Progress status={garment.status} retry={result.retry} />}
            {garment.status === 'failed' && <Failed {...props} />}
          </>
        ) : (
          <GarmentForm {...props} listing={listing} />
        )}
        <div class="halves">
          <GarmentDeliveries deliveries={deliveries} status={garment.status} now={props.now} />
          <Origin {...props} />
        </div>
      </div>
      <Allowed to="POST /dashboard/garment/pictures">
        <Pictures
          garment={garment}
          images={props.result.images}
          list={list}
          hasStudio={'Studio' in parseAttribute(garment.attribute)}
        />
      </Allowed>
      <History garment={garment} list={list} />
      <Allowed to="POST /dashboard/garment/delete">
        <Bin what="garment" action={withQuery('/dashboard/garment/delete', { uuid: garment.uuid, ...list })}>
          It goes into the <a href={binPath}>bin</a>, which keeps it for {binDays} days.
          {deliveries.length > 0 &&
            ' Systems that ask for it are told that it was deleted, and the record of what was delivered to them is not kept.'}
        </Bin>
      </Allowed>
      <Shortcuts of={['garment', 'lines']} />
      <script src="/assets/scripts/lines.js" type="module"></script>
      <script src="/assets/scripts/correction.js" type="module"></script>
      <script src="/assets/scripts/upload/add-pictures.js" type="module"></script>
    </>
  )
}

/** Why it failed, and what can be done: tag it again, or describe it by hand. */
const Failed = ({ garment, list, sent, role }: GarmentPageProps) => {
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
          <p>Say at least what it is and its colour. It is then complete, without an annotated picture.</p>
          <TagFields machine={machineResult(garment)} />
          <MeasurementFields machine={machineResult(garment)} />
          <div class="actions">
            <button>Save</button>
            <RenewButton />
          </div>
        </Form>
      </details>
      <Original path={originalPath(garment.tenantId, measuredUrl(garment))} />
    </>
  )
}

/** Scripts renew the fields at once. */
const RenewButton = () => (
  <button class="plain" name="intent" value="renew" data-without-scripts>
    Show the fields of the chosen item type
  </button>
)

/** The photograph, and beside it all that is known of the garment, to be changed in place and saved at once. */
const GarmentForm = (props: GarmentPageProps & { readonly listing: Listing }) => {
  const { garment, result, list, listing, language, sent, role } = props
  const present = presentValues(garment, role)
  const form = { ...sent?.form, values: { ...present, ...sent?.form.values } }
  const machine = machineResult(garment)
  const attribute = parseAttribute(garment.attribute)
  const isEditor = mayEdit(role)
  const original = originalPath(garment.tenantId, measuredUrl(garment))
  const caption = (
    <>
      {result.description} {original !== null && <a href={original}>Original photograph</a>}
    </>
  )
  return (
    <>
      <SamePicture garment={garment} />
      <Remeasured {...{ garment, result }} />
      <Form
        class="garment"
        action={garmentPath(garment.uuid, list)}
        form={form}
        fields={{ base: formatBase(present) }}
        data-renew=""
        data-guard=""
      >
        <div class="photograph">
          {hasPicture(garment) ? (
            <LinePicture {...{ garment, result, caption }} isPart />
          ) : (
            <Original path={original} />
          )}
        </div>
        <div class="facts-of">
          <h1>{props.name}</h1>
          <p class="hint">
            <span class="break">{shownNumber(garment.uuid)}</span>
            {shownNumber(garment.uuid) === garment.uuid && (
              <> · on its label {spacedNumber(garmentNumber(garment.uuid))}</>
            )}
          </p>
          {sent?.changes && <OtherChanges changes={sent.changes} />}
          <Summary />
          {isEditor ? <Essentials attribute={attribute} /> : <Facts facts={Object.entries(attribute)} />}
          <section aria-labelledby="measurements">
            <h2 id="measurements">
              Measurements <span class="hint">in cm</span>
            </h2>
            <MeasurementFields machine={shownMachine(machine, result)} />
            <MeasurementNotes {...result} notes={result.notes.filter((note) => note !== sameNoteOf(garment))} />
          </section>
          <section aria-labelledby="listing">
            <div class="split">
              <h2 id="listing">Listing</h2>
              <Filter
                label="Language of the listing"
                options={languages.map((each) => [each, languageNames[each], each])}
                current={language}
                href={(each) => `${garmentPath(garment.uuid, list)}&language=${each}#listing`}
              />
            </div>
            <div lang={language}>
              {isEditor ? (
                <>
                  <ListingText attribute={attribute} name="Title" ours={listing.title} />
                  <ListingText attribute={attribute} name="Description" ours={toText(listing)} />
                </>
              ) : (
                <Copyable text={toText(listing)} label="text" wrap />
              )}
            </div>
          </section>
          <section aria-labelledby="tags">
            <h2 id="tags">Tags</h2>
            <TagFields machine={machine} />
            {result.second_opinion !== undefined && <SecondOpinion opinion={result.second_opinion} />}
            <p class="hint">
              <a href="/docs/guides/tags-and-measurements">What the tags mean</a>,{' '}
              <a href="/docs/guides/accuracy">what to do with Low</a>
            </p>
          </section>
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
        </div>
      </Form>
    </>
  )
}

/** A line that a person drew gives a length in place of the tagger's. */
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

/** The upload, and the response of the API. */
const Origin = ({ garment, result, origin, domain, now }: GarmentPageProps) => {
  const attribute = parseAttribute(garment.attribute)
  return (
    <Card id="origin" title="Upload">
      <Facts
        facts={[
          [
            'Image',
            uploadedFileName(garment.imageUrl) ?? (
              <a class="break" href={garment.imageUrl} rel="noopener noreferrer">
                {garment.imageUrl}
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
        <summary>API response</summary>
        <Copyable text={queryCommand({ origin, domain, uuid: garment.uuid })} label="query command" />
        <Copyable text={JSON.stringify(result, null, 2)} label="JSON" />
      </details>
    </Card>
  )
}
