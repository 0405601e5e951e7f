import { type GarmentResult, parseAttribute } from '../../garments/garment-fields.ts'
import type { GarmentRow } from '../../garments/garment.ts'
import { shownNumber } from '../../garments/list/garment-number.ts'
import { listingNames, readListingValue } from '../../garments/listing-values.ts'
import { parsePictures } from '../../garments/pictures/garment-picture.ts'

type NamedGarment = Pick<GarmentRow, 'uuid' | 'number' | 'attribute' | 'pictures'>

/**
 * Returns the garment's name on all pages: its title, or else its colour and type. A garment without a description has
 * the name of its first file, or else its number.
 */
export function nameOf({ uuid, number, attribute, pictures }: NamedGarment, tag: GarmentResult['tag']): string {
  const described = [tag?.['Colour'], tag?.['Item Type']].filter((value) => value !== undefined).join(' ')
  const title = readListingValue(parseAttribute(attribute), listingNames.title) || sentenceCase(described)
  if (title !== '') return title
  const shown = shownNumber({ uuid, number })
  return (shown !== uuid && parsePictures({ pictures })[0]?.file?.name) || shown
}

/** Lower-cases words after the first, as in `Denim blue jeans`, but keeps `White T-shirt`. */
const sentenceCase = (text: string) => text.replaceAll(/(?<=.)\p{Lu}(?!-)/gu, (letter) => letter.toLowerCase())
