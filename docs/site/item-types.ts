import { type ItemType, itemTypes } from '../../src/vision/taxonomy/item-types.ts'

const meanings: Readonly<Record<ItemType, string>> = {
  'T-Shirt': 'short sleeves and no opening at the front, of thin knitted cloth',
  'Long-Sleeve T-Shirt': 'the same with long or three-quarter sleeves, and no rib or fleece as a sweatshirt has',
  'Tank Top': 'no sleeves, wide or narrow straps, ends at the hip',
  'Polo Shirt': 'a collar and a short row of buttons at the neck, of knitted cloth, with short or long sleeves',
  Bodysuit: 'a top that closes between the legs, of babies and adults',
  Shirt: 'a collar and buttons from top to bottom, of woven cloth',
  Blouse: 'a light or softly falling top of woven cloth, often without a collar or with gathers or ties',
  Jumper: 'knitted so that stitches can be seen, pulled over the head; with sleeves or without',
  Cardigan: 'knitted, open at the front or with buttons or a zip',
  Sweatshirt: 'thick jersey with ribs at neck, cuffs and hem, without a hood',
  Hoodie: 'the same with a hood, pulled over the head or with a zip',
  Jacket: 'outerwear that ends at waist or hip: denim, leather, bomber, rain and padded jackets',
  Coat: 'outerwear that ends at the thigh or below, padded ones included',
  Blazer: 'a tailored jacket with lapels',
  Waistcoat: 'open at the front and without sleeves: of a suit, quilted or knitted, gilets included',
  Dress: 'top and skirt in one',
  Jumpsuit: 'top and trousers or shorts in one, dungarees included',
  Skirt: 'from the waist, without legs',
  Trousers: 'long legs, of woven or knitted cloth, and none of the next three',
  Jeans: 'long legs, of denim',
  Joggers: 'long legs, of jersey or sports cloth, with an elastic or tied waist and often cuffs',
  Leggings: 'close to the leg from waist to ankle, of stretch cloth',
  Shorts: 'legs that end above the knee or at it, denim included',
  Shoes: 'closed low shoes that are neither trainers nor heels: laced shoes, loafers, flats',
  Trainers: 'sports shoes and others with a rubber sole of that kind',
  Boots: 'closed shoes that cover the ankle',
  Sandals: 'open shoes with straps, flip-flops and clogs',
  Heels: 'shoes with a high heel, open or closed',
  Slippers: 'soft shoes for the house',
  Hat: 'whatever is worn on the head: caps, beanies, brimmed hats',
  Bag: 'handbags, backpacks and others to carry',
}

/** Markdown in which the comment `item types` is replaced by a table of the item types. */
export function withItemTypes(markdown: string): string {
  const rows = itemTypes.map((itemType) => `| ${itemType} | ${meanings[itemType]} |`)
  return markdown.replace(
    '<!-- item types -->',
    ['| item type | what is called so |', '| --- | --- |', ...rows].join('\n'),
  )
}
