import {
  type Language,
  languages,
  type Listing,
  listingWords,
  toText,
} from '../../garments/listing-texts/write-listing.ts'
import { Copyable, Facts, GarmentStatus, Heading, isActive, Notice, Original, When } from '../parts/text.tsx'
import { withQuery } from '../parts/list.tsx'
import { correctionPath, garmentDeletionPath, garmentPath, garmentsPath, valuesPath } from '../paths.ts'
import type { ListValues } from './filter.tsx'
import { attributeSchema, type GarmentResult } from '../../garments/fields.ts'
import { annotatedId, picturePath } from '../../garments/pictures/annotated-picture.ts'
import { measuredPlace, measuredUrl } from '../../garments/pictures/images.ts'
import { type GarmentRow, hasPicture } from '../../garments/garment.ts'
import { originalPath, uploadedFileName } from '../../garments/pictures/uploaded-file.ts'
import type { DeliveryTo } from './find-garment.ts'
import { type Clock, fromNow } from '../clock.ts'
import { queryCommand } from '../curl.ts'
import { ValuesForm, valuesFormId } from '../corrections/values.tsx'
import { LinePicture } from '../corrections/lines.tsx'
import { Allowed, ConfirmDelete } from '../parts/actions.tsx'
import { Shortcuts } from '../parts/shortcuts.tsx'
import { Failure, GarmentDeliveries, Progress } from './progress.tsx'
import { History } from '../corrections/history.tsx'
import { Measurements, Remeasured, SecondOpinion, Tags } from './tags.tsx'

interface ListingCardProps {
  /** The garment's page. */
  readonly path: string
  readonly listing: Listing
  readonly language: Language
}

/** The garment's title and text for customers, as shops get them. */
const ListingCard = ({ path, listing, language }: ListingCardProps) => (
  <section class="card" aria-labelledby="listing">
    <h2 id="listing">Listing</h2>
    <nav class="filter" aria-label="Language of the listing">
      {languages.map((each) => (
        <a href={`${path}&language=${each}#listing`} lang={each} aria-current={each === language ? 'page' : undefined}>
          {listingWords[each].name}
        </a>
      ))}
    </nav>
    <div lang={language}>
      <Copyable text={listing.title} label="title" wrap />
      <Copyable text={toText(listing)} label="text" wrap />
    </div>
    <p class="hint">
      Your attributes <code>Title</code> and <code>Description</code> stand in place of ours.{' '}
      <a href="/docs/guides/selling">What shops get</a>
    </p>
  </section>
)

interface NeighboursProps {
  readonly list: ListValues
  readonly previous: string | null
  readonly next: string | null
}

/** Links back to the list that a garment was opened from, and to its neighbours there. */
function Neighbours({ list, previous, next }: NeighboursProps) {
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
  readonly clock: Clock
  readonly origin: string
  readonly domain: string
  readonly now: number
}

export const GarmentPage = (props: GarmentPageProps) => {
  const { garment, deliveries, result, list, clock } = props
  // Also follow a delivery whose next attempt is due within seconds.
  const isSoon = deliveries.some(
    ({ delivery }) => delivery.status === 'pending' && (delivery.nextAttemptAt ?? 0) < props.now + 15_000,
  )
  return (
    <>
      <Neighbours list={list} previous={props.previous} next={props.next} />
      <div
        id="live"
        {...(isActive(garment.status) || garment.dueAt !== null || isSoon ? { 'data-live': '' } : {})}
        data-announce={garment.dueAt === null ? `Garment: ${garment.status}` : 'Garment: being measured again'}
      >
        <Heading title={<span class="uuid">{garment.uuid}</span>}>
          <GarmentStatus status={garment.status} />
        </Heading>
        {isActive(garment.status) && <Progress status={garment.status} retry={result.retry} clock={clock} />}
        {garment.status === 'failed' && (
          <>
            <Failure garment={garment} list={list} />
            <p>
              <a class="button plain" href={correctionPath(garment.uuid, list)}>
                Describe by hand
              </a>
            </p>
          </>
        )}
        {garment.status === 'complete' && <Remeasured {...{ garment, result, list }} />}
        {garment.status === 'complete' && <Result {...props} />}
        {props.listing !== null && (
          <ListingCard path={garmentPath(garment.uuid, list)} listing={props.listing} language={props.language} />
        )}
        <GarmentDeliveries deliveries={deliveries} status={garment.status} clock={clock} now={props.now} />
        <Origin {...props} />
      </div>
      {garment.status === 'complete' && (
        <Allowed to="POST /dashboard/garment/values">
          <ValuesForm
            path={valuesPath(garment.uuid, list)}
            attribute={attributeSchema.parse(JSON.parse(garment.attribute))}
          />
        </Allowed>
      )}
      <History garment={garment} list={list} clock={clock} />
      <Allowed to="POST /dashboard/garment/delete">
        <ConfirmDelete what="garment" action={garmentDeletionPath(garment.uuid, list)}>
          Its result, its pictures and its webhook deliveries are removed. You can upload its uuid again afterwards.
        </ConfirmDelete>
      </Allowed>
      <Shortcuts of={['garment', 'lines']} />
      <script src="/assets/scripts/lines.js" type="module"></script>
    </>
  )
}

const Result = ({ garment, result, list, studioNote }: GarmentPageProps) => (
  <div class="result">
    <div>
      {hasPicture(garment) && (
        <LinePicture
          {...{ garment, result, list }}
          href={picturePath(garment.tenantId, annotatedId(garment, measuredPlace(garment)))}
        />
      )}
      <Original path={originalPath(garment.tenantId, measuredUrl(garment))} />
    </div>
    <div>
      <Tags
        tag={result.tag ?? {}}
        given={attributeSchema.parse(JSON.parse(garment.attribute))}
        corrected={result.corrected ?? []}
      />
      {result.second_opinion !== undefined && <SecondOpinion opinion={result.second_opinion} />}
      {studioNote !== null && (
        <Notice tone="calm" title={studioNote}>
          <p>
            <Allowed to="GET /dashboard/tenant" otherwise="An editor or owner can set up the studio.">
              <a href="/dashboard/tenant#studios">Set up the studio</a> for the garments that you upload from then on.
            </Allowed>
          </p>
        </Notice>
      )}
      <Measurements {...result} measurements={result.measurements ?? {}} />
      <p>
        <a class="button plain" href={correctionPath(garment.uuid, list)}>
          Correct or confirm
        </a>{' '}
        <Allowed to="POST /dashboard/garment/values">
          <a class="button plain" href={`#${valuesFormId}`}>
            Price, title, stock …
          </a>
        </Allowed>
      </p>
    </div>
  </div>
)

/** The upload, and the response of the API. */
const Origin = ({ garment, result, clock, origin, domain, now }: GarmentPageProps) => {
  const attribute = attributeSchema.parse(JSON.parse(garment.attribute))
  return (
    <section class="card" aria-labelledby="origin">
      <h2 id="origin">Upload</h2>
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
              <When at={garment.createdAt} clock={clock} />{' '}
              <span class="hint">({fromNow(garment.createdAt, now)})</span>
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
    </section>
  )
}
