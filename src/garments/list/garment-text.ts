import { applyCorrections } from '../corrections/apply-corrections.ts'
import { parseCorrections } from '../corrections/correction.ts'
import { listingNames, readListingValue, type Sale, saleOf, stageOf } from '../listing-values.ts'
import { type GarmentRow, machineResult } from '../garment.ts'
import { sizeText } from '../label.ts'
import { readWearer } from '../../vision/attributes/wearer.ts'
import { markedNumber } from './garment-number.ts'
import { foldWords, marked, marks, otherSpellings } from './search-words.ts'

/** Keeps an index entry within a quarter of a page. A longer entry would take a page of its own. */
const maxTextLength = 600

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export type SearchedGarment = Pick<
  GarmentRow,
  'uuid' | 'number' | 'status' | 'attribute' | 'corrections' | 'result' | 'createdAt'
>

type SearchColumns = Pick<GarmentRow, 'searchText' | 'price' | 'soldAt' | 'soldPrice' | 'soldCurrency' | 'soldChannel'>

/** Builds the columns that searches read. The title comes first, so that sorting by text sorts by title. */
export function searchColumns(garment: SearchedGarment): SearchColumns {
  const machine = machineResult(garment)
  const { attribute } = machine
  const isComplete = garment.status === 'complete'
  const corrections = parseCorrections(garment.corrections)
  const result = isComplete ? applyCorrections(machine, corrections, attribute) : undefined
  const tag = result?.tag ?? attribute
  const text = (name: string) => (typeof tag[name] === 'string' ? tag[name] : '')
  const title = readListingValue(attribute, listingNames.title)
  const brand = text('Brand') || readListingValue(attribute, listingNames.brand)
  const size = sizeText(attribute, corrections, isComplete ? machine.stored?.label : undefined)
  const gender = text('Gender') || (attribute['Gender'] ?? '')
  const wearer = readWearer(gender)
  const price = readListingValue(attribute, listingNames.price)
  const values = [
    (result?.corrected.length ?? 0) > 0 ? marked('corrected', marks.is) : '',
    ...(isComplete
      ? [
          marked(text('Item Type'), marks.itemType),
          marked(text('Colour'), marks.colour),
          marked(text('Pattern'), marks.pattern),
          marked(text('Fabric Type'), marks.fabric),
        ]
      : []),
    marked(brand, marks.brand),
    // `EU 38` is found as a whole and as `38`.
    ...[size, ...foldWords(size)].map((each) => marked(each, marks.size)),
    marked(wearer ?? gender, marks.gender),
    isComplete && stageOf(attribute) !== 'draft' ? marked(stageOf(attribute), marks.stage) : '',
  ]
  // The words of size and gender are marked already. Nobody searches for the time or price of a sale.
  const saleValues = [listingNames.soldAt, listingNames.soldPrice, listingNames.soldCurrency].map((names) =>
    readListingValue(attribute, names),
  )
  const found = [size, ...(wearer === undefined ? [] : [gender]), ...saleValues]
  const others = Object.values(attribute).filter((value) => !/^https?:/i.test(value) && !found.includes(value))
  const named = [brand, ...(uuidPattern.test(garment.uuid) ? [] : [garment.uuid]), ...others]
  const words = new Set([
    ...foldWords(title),
    markedNumber(garment.number),
    ...values.filter((value) => value !== ''),
    // A search compares the column `uuid` as well, so random UUIDs are not repeated here.
    ...named.flatMap(foldWords),
    ...[title, ...named].flatMap(otherSpellings),
  ])
  const noTitle = title === '' ? '~' : ''
  return {
    searchText: `${noTitle} ${[...words].join(' ')}`.slice(0, maxTextLength) + ' ',
    price: price === '' ? null : Number(price),
    ...saleColumns(saleOf(attribute, garment.createdAt)),
  }
}

const saleColumns = (sale: Sale | null) => ({
  soldAt: sale === null ? null : Date.parse(sale.at),
  soldPrice: sale === null || sale.price === '' ? null : Number(sale.price),
  soldCurrency: sale?.currency || null,
  soldChannel: sale?.channel || null,
})
