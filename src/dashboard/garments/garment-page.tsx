import { attributeSchema } from '../../garment/fields.ts'
import type { GarmentResult } from '../../garment/fields.ts'
import { picturePath } from '../../garment/annotated-picture.ts'
import { hasPicture, type GarmentRow } from '../../garment/to-garment-response.ts'
import { originalPath, uploadedFileName } from '../../garment/uploaded-file.ts'
import type { Language } from '../../listing/languages.ts'
import type { Listing } from '../../listing/write-listing.ts'
import type { DeliveryTo } from '../../overview/find-garment-with-deliveries.ts'
import { fromNow, type Clock } from '../clock.ts'
import { queryCommand } from '../curl.ts'
import { ValuesForm, valuesFormId } from '../edit/values-form.tsx'
import { correctionPath, garmentDeletionPath, garmentPath, valuesPath } from '../paths.ts'
import { LinePicture } from '../lines/line-picture.tsx'
import { Allowed } from '../parts/allowed.tsx'
import { ConfirmDelete } from '../parts/confirm.tsx'
import { Original } from '../parts/original.tsx'
import { Shortcuts } from '../parts/shortcuts.tsx'
import { Copyable, Facts, Heading, Notice, When } from '../parts/text.tsx'
import { GarmentDeliveries } from './garment-deliveries.tsx'
import { History } from '../audit/history.tsx'
import type { ListValues } from './list/read-filter.ts'
import { ListingCard } from './listing-card.tsx'
import { Neighbours } from './list/neighbours.tsx'
import { Failure } from './failure.tsx'
import { Progress } from './progress.tsx'
import { Remeasured } from './remeasured.tsx'
import { SecondOpinion } from './second-opinion.tsx'
import { GarmentStatus, isActive } from './status-badge.tsx'
import { Measurements, Tags } from './tags.tsx'

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
        <LinePicture {...{ garment, result, list }} href={picturePath(garment.tenantId, garment.pictureId)} />
      )}
      <Original path={originalPath(garment.tenantId, garment.imageUrl)} />
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
