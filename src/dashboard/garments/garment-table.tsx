import { ownNames, readOwn } from '../../garments/own-values.ts'
import { attributeSchema } from '../../garments/fields.ts'
import type { ListedGarment } from '../../garments/list/list-garments.ts'
import { failureReason } from '../../garments/failure.ts'
import { thumbnailPath } from '../../garments/pictures/annotated-picture.ts'
import { hasPicture, shownPicture } from '../../garments/garment.ts'
import type { Clock } from '../clock.ts'
import { editFormId } from './edit-form.tsx'
import { Allowed } from '../parts/actions.tsx'
import { Columns, SelectBox } from '../parts/list.tsx'
import { GarmentStatus, WhenCell } from '../parts/text.tsx'
import { garmentPath } from '../paths.ts'
import type { ListValues } from './filter.tsx'

/** What the shop says of a garment, for a list; empty where it says nothing. */
function ownTexts({ attribute }: Pick<ListedGarment, 'attribute'>) {
  const own = attributeSchema.parse(JSON.parse(attribute))
  const price = readOwn(own, ownNames.price)
  return {
    title: readOwn(own, ownNames.title),
    price: price && `${price} ${readOwn(own, ownNames.currency)}`.trimEnd(),
  }
}

interface GarmentTableProps {
  readonly garments: readonly ListedGarment[]
  readonly tenantId: string
  readonly clock: Clock
  /** The list's parameters, for the pages of its garments. */
  readonly list?: ListValues
}

/** A small copy of the annotated picture, from our own origin. The browser never loads the client's image URL. */
const Thumbnail = ({ garment, tenantId }: { garment: ListedGarment; tenantId: string }) =>
  hasPicture(garment) ? (
    <img
      class="thumbnail"
      src={thumbnailPath(tenantId, shownPicture(garment))}
      alt=""
      width={48}
      height={64}
      loading="lazy"
      decoding="async"
    />
  ) : (
    <span class={`thumbnail none ${garment.status}`}></span>
  )

const itemTypeOf = ({ status, itemType, failureReason: failure }: ListedGarment) => {
  if (status === 'complete') return itemType || '–'
  return status === 'failed' ? (
    <span class="reason">{failureReason(failure)}</span>
  ) : (
    <span class="hint">being tagged</span>
  )
}

/**
 * The garment's doubtful values: how many reviewed values that nobody has confirmed or corrected are expected to be
 * wrong.
 */
function doubtOf({ status, doubt }: ListedGarment): string {
  if (status !== 'complete' || doubt === 0) return ''
  if (doubt === 1) return 'slight'
  return doubt === 2 ? 'some' : 'much'
}

/** The title that the shop gave it, and its uuid. */
const Names = ({ title, uuid }: { title: string; uuid: string }) =>
  title === '' ? (
    <span class="uuid">{uuid}</span>
  ) : (
    <span class="names">
      <span class="clipped title">{title}</span>
      <span class="uuid">{uuid}</span>
    </span>
  )

export function GarmentTable({ garments, tenantId, clock, list }: GarmentTableProps) {
  const rows = garments.map((garment) => ({ garment, own: ownTexts(garment) }))
  // Who has no prices here has no empty column for them.
  const hasPrices = rows.some(({ own }) => own.price !== '')
  const price = hasPrices ? ['Price'] : []
  return (
    <table class="garments stack">
      <Columns names={['Garment', 'Item type', 'Colour', 'Brand', ...price, 'Doubt', 'Status', 'Uploaded']} />
      <tbody>
        {rows.map(({ garment, own }) => (
          <tr>
            <th scope="row">
              <span class="pick">
                <Allowed to="POST /dashboard/edit">
                  <SelectBox form={editFormId} id={garment.uuid} />
                </Allowed>
                <a class="named" href={garmentPath(garment.uuid, list)}>
                  <Thumbnail garment={garment} tenantId={tenantId} />
                  <Names title={own.title} uuid={garment.uuid} />
                </a>
              </span>
            </th>
            <td data-label={garment.status === 'failed' ? 'Reason' : 'Item type'}>{itemTypeOf(garment)}</td>
            <td data-label="Colour">{garment.colour}</td>
            <td data-label="Brand" class="break">
              {garment.brand}
            </td>
            {hasPrices && (
              <td data-label="Price">{own.price !== '' && <span class="clipped price">{own.price}</span>}</td>
            )}
            <td data-label="Doubt">{doubtOf(garment)}</td>
            <td data-label="Status">
              <GarmentStatus status={garment.status} />
            </td>
            <WhenCell label="Uploaded" at={garment.createdAt} clock={clock} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}
