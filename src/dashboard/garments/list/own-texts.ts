import { readAmount } from '../../../export/shop/amount.ts'
import { ownNames, readOwn } from '../../../export/shop/own-values.ts'
import { attributeSchema } from '../../../garment/fields.ts'
import type { ListedGarment } from '../../../garment/list/list-garments.ts'

/** What the shop says of a garment, for a list; empty where it says nothing. */
export function ownTexts({ attribute }: Pick<ListedGarment, 'attribute'>) {
  const own = attributeSchema.parse(JSON.parse(attribute))
  const price = readOwn(own, ownNames.price)
  const currency = readOwn(own, ownNames.currency).toUpperCase()
  const isComplete = price === '' || currency === '' || readAmount(price).currency !== undefined
  return { title: readOwn(own, ownNames.title), price: isComplete ? price : `${price} ${currency}` }
}
