import type { Child } from 'hono/jsx'
import { listingNames, readListingValue, stageOf } from '../../garments/listing-values.ts'
import { parseSame } from '../../garments/duplicates.ts'
import { parseAttribute } from '../../garments/garment-fields.ts'
import { shownNumber } from '../../garments/list/garment-number.ts'
import type { ListedGarment } from '../../garments/list/list-garments.ts'
import { failureAdvice } from './failure-advice.ts'
import { parsePictures, shownPicture } from '../../garments/pictures/garment-picture.ts'
import { smallPath } from '../../garments/pictures/answer-pictures.ts'
import type { GarmentRow } from '../../garments/garment.ts'
import type { Attribute } from '../../vision/tagging.ts'
import { toIso } from '../../time.ts'
import { editFormId } from './edit-page.tsx'
import { Cell, CellsForm, SoldDialog } from './list-cells.tsx'
import { nameOf } from './garment-name.ts'
import { Allowed } from '../parts/actions.tsx'
import { SelectBox, Table } from '../parts/list-parts.tsx'
import { Badge, GarmentStatus, Picture, StageBadge, useClock } from '../parts/elements.tsx'
import { garmentPath } from '../paths.ts'
import type { ListValues } from './garment-filter.tsx'

/** Returns the texts that lists and labels show. Size and price are empty if unknown. */
export function shownTexts(garment: ListedGarment, currency: string) {
  const values = parseAttribute(garment.attribute)
  const price = readListingValue(values, listingNames.price)
  return {
    name: nameOf(garment, garment.tag),
    stage: stageOf(values),
    size: garment.size,
    price: price && `${price} ${readListingValue(values, listingNames.currency) || currency}`,
  }
}

interface GarmentListProps {
  readonly garments: readonly ListedGarment[]
  readonly tenantId: string
  readonly currency: string
  readonly list?: ListValues
}

interface ThumbnailProps {
  readonly garment: Pick<GarmentRow, 'pictures'>
  readonly tenantId: string
  readonly path?: string
}

/** Shows the cut-out garment, or else its picture. The browser never loads the client's image URL. */
export function Thumbnail({ garment, tenantId, path: privatePath }: ThumbnailProps) {
  const all = parsePictures(garment)
  const picture = shownPicture(all) ?? (privatePath === undefined ? all[0] : undefined)
  const path = picture && smallPath(tenantId, picture)
  return path ? (
    <img class="thumbnail" src={privatePath ?? path} alt="" width={64} height={80} loading="lazy" decoding="async" />
  ) : (
    <span class="thumbnail none">
      <Picture />
    </span>
  )
}

const stateText = ({ status, failure }: ListedGarment): Child => {
  if (status === 'complete') return null
  if (status === 'failed') return <span class="reason">{failureAdvice(failure)}</span>
  return <span class="hint">being described</span>
}

/** Marks a garment whose values probably contain a mistake that nobody has checked. */
const DoubtBadge = ({ garment }: { garment: ListedGarment }) =>
  garment.status !== 'complete' || garment.doubt === 0 ? null : (
    <Badge tone="busy">
      {garment.showsSeveral ? 'Several garments' : garment.doubt < 400 ? 'Some doubt' : 'Much doubt'}
    </Badge>
  )

function Same({ garment, list }: { garment: ListedGarment; list: ListValues | undefined }) {
  const same = parseSame(garment.same)
  if (same === null) return null
  return (
    <span class="clipped hint same">
      Same picture as <a href={garmentPath(same.uuid, list)}>{same.name}</a>
    </span>
  )
}

const Select = ({ garment }: { garment: ListedGarment }) => (
  <Allowed to="POST /dashboard/edit">
    <SelectBox form={editFormId} id={garment.uuid} name={shownNumber(garment)} />
  </Allowed>
)

/** Shows a garment's price, size or stage: as a field for editors, otherwise as text. */
const Value = ({
  garment,
  children,
  ...cell
}: Parameters<typeof Cell>[0] & { garment: ListedGarment; children?: Child }) =>
  garment.status === 'complete' ? (
    <Allowed to="POST /dashboard/edit" otherwise={children}>
      <Cell {...cell} />
    </Allowed>
  ) : (
    <>{children}</>
  )

/** Shows the currency of a garment that is not priced in the shop's. */
const OwnCurrency = ({ attribute, currency }: { attribute: Attribute; currency: string }) => {
  const priced = readListingValue(attribute, listingNames.currency)
  return priced === '' || priced === currency ? null : <span class="hint">{priced}</span>
}

export const GarmentTable = ({ garments, tenantId, currency, list }: GarmentListProps) => (
  <>
    <Table names={['Garment', 'Brand', 'Size', 'Price', 'Stage', 'Added']} isOfGarments>
      {garments
        .map((garment) => ({ garment, shown: shownTexts(garment, currency) }))
        .map(({ garment, shown }) => {
          const cell = { garment, uuid: garment.uuid, about: shown.name, attribute: parseAttribute(garment.attribute) }
          return (
            <tr>
              <th scope="row">
                <span class="pick">
                  <Select garment={garment} />
                  <a class="named" href={garmentPath(garment.uuid, list)}>
                    <Thumbnail garment={garment} tenantId={tenantId} />
                    <span class="names">
                      <span class="clipped title">{shown.name}</span>
                      {stateText(garment) ?? <span class="hint break">{shownNumber(garment)}</span>}
                    </span>
                  </a>
                  <DoubtBadge garment={garment} />
                  <Same garment={garment} list={list} />
                </span>
              </th>
              <td data-label="Brand">{garment.brand !== '' && <span class="clipped">{garment.brand}</span>}</td>
              <td data-label="Size">
                <Value {...cell} name="Size">
                  {shown.size}
                </Value>
              </td>
              <td data-label="Price">
                <Value {...cell} name="Price">
                  {shown.price}
                </Value>
                <OwnCurrency attribute={cell.attribute} currency={currency} />
              </td>
              <td data-label="Stage">
                {garment.status === 'complete' ? (
                  <Value {...cell} name="Stage">
                    <StageBadge stage={shown.stage} />
                  </Value>
                ) : (
                  <GarmentStatus status={garment.status} />
                )}
              </td>
              <td data-label="Added">
                <time datetime={toIso(garment.createdAt)}>{useClock().date(garment.createdAt)}</time>
              </td>
            </tr>
          )
        })}
    </Table>
    <Allowed to="POST /dashboard/edit">
      <CellsForm
        garments={garments
          .filter(({ status }) => status === 'complete')
          .map(({ uuid, attribute }) => ({ uuid, attribute: parseAttribute(attribute) }))}
        list={list ?? {}}
      />
      <SoldDialog />
    </Allowed>
  </>
)

export const GarmentCards = ({
  garments,
  tenantId,
  currency,
  list,
  isSelectable = false,
}: GarmentListProps & { readonly isSelectable?: boolean }) => (
  <ul class="cards">
    {garments
      .map((garment) => ({ garment, shown: shownTexts(garment, currency) }))
      .map(({ garment, shown }) => (
        <li>
          {isSelectable && <Select garment={garment} />}
          <a class="named" href={garmentPath(garment.uuid, list)}>
            <Thumbnail garment={garment} tenantId={tenantId} />
            <span class="clipped title">{shown.name}</span>
            {stateText(garment) ?? (
              <span class="hint">
                {[shown.size, shown.price].filter((text) => text !== '').join(' · ') || 'No price yet'}
              </span>
            )}
          </a>
          <span class="badges">
            {garment.status === 'complete' ? (
              shown.stage !== 'draft' && <StageBadge stage={shown.stage} />
            ) : (
              <GarmentStatus status={garment.status} />
            )}{' '}
            <DoubtBadge garment={garment} />
          </span>
          <Same garment={garment} list={list} />
        </li>
      ))}
  </ul>
)
