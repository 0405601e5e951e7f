import { ownNames, readOwn, stageOf } from '../../garments/own-values.ts'
import { parseSame } from '../../garments/duplicates.ts'
import { type GarmentResult, parseAttribute } from '../../garments/fields.ts'
import { shownNumber } from '../../garments/list/garment-number.ts'
import type { ListedGarment } from '../../garments/list/list-garments.ts'
import { failureReason } from '../../garments/failure.ts'
import { parsePictures, shownPicture } from '../../garments/pictures/picture.ts'
import { thumbnailPath } from '../../garments/pictures/stored-copy.ts'
import type { GarmentRow } from '../../garments/garment.ts'
import { toIso } from '../../time.ts'
import { editFormId } from './edit-page.tsx'
import { Allowed } from '../parts/actions.tsx'
import { SelectBox, Table } from '../parts/list-parts.tsx'
import { GarmentStatus, StageBadge, useClock } from '../parts/elements.tsx'
import { garmentPath } from '../paths.ts'
import type { ListValues } from './garment-filter.tsx'

/** Returns the garment's name on all pages: its title, or else its colour and type, or else its number. */
export function nameOf({ uuid, attribute }: Pick<GarmentRow, 'uuid' | 'attribute'>, tag: GarmentResult['tag']): string {
  const described = [tag?.['Colour'], tag?.['Item Type']].filter((value) => value !== undefined).join(' ')
  return readOwn(parseAttribute(attribute), ownNames.title) || sentenceCase(described) || shownNumber(uuid)
}

/** Returns the texts that lists and labels show. Size and price are empty if unknown. */
export function shownTexts(garment: ListedGarment, currency: string) {
  const values = parseAttribute(garment.attribute)
  const price = readOwn(values, ownNames.price)
  return {
    name: nameOf(garment, garment.tag),
    stage: stageOf(values),
    size: readOwn(values, ownNames.size),
    price: price && `${price} ${readOwn(values, ownNames.currency) || currency}`,
  }
}

/** Lower-cases words after the first, as in `Denim blue jeans`, but keeps `White T-shirt`. */
const sentenceCase = (text: string) => text.replaceAll(/(?<=.)\p{Lu}(?!-)/gu, (letter) => letter.toLowerCase())

interface GarmentTableProps {
  readonly garments: readonly ListedGarment[]
  readonly tenantId: string
  /** The tenant's currency, for prices without a currency. */
  readonly currency: string
  /** Query parameters of the list, kept in links to garments. */
  readonly list?: ListValues
}

type PicturedGarment = Pick<GarmentRow, 'status' | 'pictures'>

/** Shows the cut-out garment, or else its picture. The browser never loads the client's image URL. */
export function Thumbnail({ garment, tenantId }: { garment: PicturedGarment; tenantId: string }) {
  const picture = shownPicture(parsePictures(garment))
  return picture && garment.status === 'complete' ? (
    <img
      class="thumbnail"
      src={thumbnailPath(tenantId, picture.copyId)}
      alt=""
      width={64}
      height={80}
      loading="lazy"
      decoding="async"
    />
  ) : (
    <span class={`thumbnail none ${garment.status}`}></span>
  )
}

const itemTypeOf = ({ status, itemType, failure }: ListedGarment) => {
  if (status === 'complete') return itemType || '–'
  return status === 'failed' ? (
    <span class="reason">{failureReason(failure)}</span>
  ) : (
    <span class="hint">being tagged</span>
  )
}

/** Describes the doubt: the expected number of wrong values among reviewed attributes that nobody has checked. */
function doubtOf({ status, doubt }: ListedGarment): string {
  if (status !== 'complete' || doubt === 0) return ''
  return doubt < 400 ? 'some' : 'much'
}

const Names = ({ name, uuid }: { name: string; uuid: string }) => (
  <span class="names">
    <span class="clipped title">{name}</span>
    {name !== shownNumber(uuid) && <span class="hint break">{shownNumber(uuid)}</span>}
  </span>
)

/** Links another garment that has the same picture. */
function Same({ garment, list }: { garment: ListedGarment; list: ListValues | undefined }) {
  const same = parseSame(garment.same)
  if (same === null) return null
  return (
    <span class="clipped hint same">
      Same picture as <a href={garmentPath(same.uuid, list)}>{same.title || shownNumber(same.uuid)}</a>
    </span>
  )
}

/** Columns that are shown only if a garment on the page has a value. */
const optional = ['Brand', 'Size', 'Price', 'Doubt'] as const

export function GarmentTable({ garments, tenantId, currency, list }: GarmentTableProps) {
  const rows = garments.map((garment) => {
    const { size, price, ...shown } = shownTexts(garment, currency)
    return { garment, ...shown, texts: { Brand: garment.brand, Size: size, Price: price, Doubt: doubtOf(garment) } }
  })
  const columns = optional.filter((name) => rows.some(({ texts }) => texts[name] !== ''))
  return (
    <Table names={['Garment', 'Item type', 'Colour', ...columns, 'Status', 'Added']} isOfGarments>
      {rows.map(({ garment, name, stage, texts }) => (
        <tr>
          <th scope="row">
            <span class="pick">
              <Allowed to="POST /dashboard/edit">
                <SelectBox form={editFormId} id={garment.uuid} name={shownNumber(garment.uuid)} />
              </Allowed>
              <a class="named" href={garmentPath(garment.uuid, list)}>
                <Thumbnail garment={garment} tenantId={tenantId} />
                <Names name={name} uuid={garment.uuid} />
              </a>
            </span>
            <Same garment={garment} list={list} />
          </th>
          <td data-label={garment.status === 'failed' ? 'Reason' : 'Item type'}>{itemTypeOf(garment)}</td>
          <td data-label="Colour">{garment.colour}</td>
          {columns.map((column) => (
            <td data-label={column}>{texts[column] !== '' && <span class="clipped own">{texts[column]}</span>}</td>
          ))}
          <td data-label="Status">
            {garment.status === 'complete' ? <StageBadge stage={stage} /> : <GarmentStatus status={garment.status} />}
          </td>
          <td data-label="Added">
            <time datetime={toIso(garment.createdAt)}>{useClock().date(garment.createdAt)}</time>
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** Shows garments as cards with a picture. */
export const GarmentCards = ({ garments, tenantId, currency }: Omit<GarmentTableProps, 'list'>) => (
  <ul class="cards">
    {garments
      .map((garment) => ({ garment, shown: shownTexts(garment, currency) }))
      .map(({ garment, shown }) => (
        <li>
          <a href={garmentPath(garment.uuid)}>
            <Thumbnail garment={garment} tenantId={tenantId} />
            <span class="clipped title">{shown.name}</span>
            <span class="hint">
              {garment.status === 'complete' ? (
                [shown.size, shown.price].filter((text) => text !== '').join(' · ') || 'No price yet'
              ) : (
                <GarmentStatus status={garment.status} />
              )}
            </span>
          </a>
        </li>
      ))}
  </ul>
)
