/**
 * How answers are compared with the labels of the photographs. Scoring follows these tables and nothing else.
 */

/** Kinds of garment for the figure "right kind"; an item type that is missing here is a kind of its own. */
export const kinds: Readonly<Record<string, readonly string[]>> = {
  'Tops of jersey': ['T-Shirt', 'Long-Sleeve T-Shirt', 'Tank Top', 'Polo Shirt', 'Bodysuit'],
  'Shirts and blouses': ['Shirt', 'Blouse'],
  'Knitwear and sweats': ['Jumper', 'Cardigan', 'Sweatshirt', 'Hoodie'],
  Outerwear: ['Jacket', 'Coat', 'Blazer', 'Waistcoat'],
  Dress: ['Dress'],
  Jumpsuit: ['Jumpsuit'],
  Trousers: ['Trousers', 'Jeans', 'Joggers', 'Leggings'],
  Shorts: ['Shorts'],
  Skirt: ['Skirt'],
  Hat: ['Hat'],
  Footwear: ['Shoes', 'Trainers', 'Boots', 'Sandals', 'Heels', 'Slippers'],
}

/** Labels without an item type of ours (a handful of photographs): not scored. */
export const unscoredTypes: readonly string[] = ['Several', 'Other', 'Underwear', 'Gloves', 'Swimwear', 'Socks']

/** No garments: right where they are refused. */
export const noGarments: readonly string[] = ['Jewellery', 'Sunglasses', 'Wig', 'Wallet']

/** Our closure to the labels that it agrees with. `?` (cannot be seen) and empty labels are not scored. */
export const closureLabels: Readonly<Record<string, readonly string[]>> = {
  Pullover: ['None'],
  'Open Front': ['None'],
  Open: ['None'],
  Button: ['Buttons', 'Placket'],
  Toggle: ['Buttons'],
  Snap: ['Snap'],
  Zip: ['Zip', 'Half Zip'],
  'Button & Zip': ['Fly'],
  Elasticated: ['Elastic'],
  Drawstring: ['Drawstring'],
  Tie: ['Lace'],
  'Lace-Up': ['Lace'],
  Buckle: ['Buckle'],
  // A hat's label is None as often as Slip-On.
  'Slip-On': ['Slip-On', 'None'],
}

/** Our fabrics whose names are finer than the labels'; any other agrees with the label of its own name only. */
export const fabricLabels: Readonly<Record<string, readonly string[]>> = {
  Poplin: ['Woven'],
  Twill: ['Woven'],
  Flannel: ['Woven'],
  Silk: ['Satin', 'Chiffon'],
  Piqué: ['Jersey'],
  Felt: ['Wool'],
}

/** A mask is a truth for the outline up to this share of pixels that its maker was unsure of. */
export const maxMaskUnsure = 0.12
