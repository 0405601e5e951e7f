import { z } from '@hono/zod-openapi'
import { attributes as entries, isRanked } from '../vision/attributes/attribute-catalogue.ts'
import { type Ranked, toEntries } from '../vision/rank.ts'
import { scaleSources, shownValues } from '../vision/scene.ts'
import type { TaggedPicture } from '../vision/tag-picture.ts'
import type { View } from '../vision/view.ts'
import { lineName, measurementKey } from './corrections/allowed-values.ts'
import { linePointsSchema } from './corrections/correction.ts'

/**
 * The codes of what results say, of each kind: the positions here. Rows are kept, so only append. What has no code is
 * stored as text. An older deployment cannot read newer codes, so append one a deployment before the tagger uses it.
 */
export const codedTexts = {
  'Item Type':
    'T-Shirt, Long-Sleeve T-Shirt, Tank Top, Polo Shirt, Bodysuit, Shirt, Blouse, Jumper, Cardigan, Sweatshirt, Hoodie, Jacket, Coat, Blazer, Waistcoat, Dress, Jumpsuit, Skirt, Set, Trousers, Jeans, Joggers, Leggings, Shorts, Shoes, Trainers, Boots, Sandals, Heels, Slippers, Hat, Bag, Belt, Scarf',
  Colour:
    'Black, Charcoal, Grey, Light Grey, White, Off White, Cream, Beige, Tan, Camel, Taupe, Brown, Dark Brown, Khaki, Olive, Sage, Green, Dark Green, Mint, Lime, Teal, Turquoise, Light Blue, Blue, Royal Blue, Navy, Denim Blue, Purple, Lavender, Mauve, Plum, Pink, Blush, Hot Pink, Coral, Peach, Red, Burgundy, Rust, Orange, Mustard, Yellow, Multi',
  Pattern: 'Plain, Striped, Checked, Dotted, Floral, Animal, Camouflage, Colour Block, Graphic, Knit, Printed',
  Sleeve: 'None, Short, Three-Quarter, Long',
  Neckline: 'Crew, Scoop, V-Neck, High, Collar, Lapel, Hood, Square, Off-Shoulder, Strap, Other',
  Fit: 'Slim, Regular, Relaxed, Oversized, Bodycon, Shift, A-Line, Fit & Flare, Pencil, Straight, Full, Skinny, Tapered, Wide Leg, Flared',
  Closure:
    'Pullover, Button, Zip, Snap, Tie, Open Front, Toggle, Buckle, Elasticated, Button & Zip, Drawstring, Slip-On, Lace-Up, Open',
  'Fabric Type':
    'Jersey, Rib Knit, Woven, Linen, Technical, Chiffon, Satin, Piqué, Knit, Denim, Poplin, Flannel, Corduroy, Silk, Lace, Velvet, Sweatshirt Fleece, Cable Knit, Wool, Fleece, Leather, Suede, Quilted, Twill, Rubber, Mesh, Canvas, Straw, Felt',
  Parts: '',
  'Colour Hex': '',
  line: 'Chest, Body Length, Shoulder, Sleeve Length, Hem, Cuff, Length, Waist, Hip, Front Rise, Inseam, Outseam, Thigh, Leg Opening, Width, Height',
  shown: 'flat, hanging, worn, folded, detail, several, back, cut',
  scale: 'card, studio, estimate',
  note: 'worn, back, several, detail, folded, card, estimate, estimate_either, estimate_child, estimate_any_child, card_small, card_hidden, card_bent, dark, uncertain, reaches_edge, types_differ, colours_differ, unsure_outline, uncut',
}

const texts = new Map(Object.entries(codedTexts).map(([kind, list]) => [kind, list === '' ? [] : list.split(', ')]))

/** A letter, which no path of JSON takes for a place in a list. */
const keys = new Map(Object.keys(codedTexts).map((name, code) => [name, (code + 10).toString(36)]))
const namesByKey = new Map([...keys].map(([name, key]) => [key, name]))

export const keyOf = (name: string) => keys.get(name) ?? name

export function codeOf(kind: string, text: string): number | string {
  const code = texts.get(kind)?.indexOf(text) ?? -1
  return code === -1 ? text : code
}

function textOf(kind: string, code: string | number): string {
  const text = typeof code === 'string' ? code : texts.get(kind)?.[code]
  if (text === undefined) throw new Error(`A result has the ${kind} ${code}, which this version does not know`)
  return text
}

const code = z.union([z.string(), z.int()])
const coded = (kind: string) => code.transform((each) => textOf(kind, each))

const storedSchema = z.tuple([
  z.string(), // tagger
  coded('shown').pipe(z.enum(shownValues)),
  coded('scale').pipe(z.enum(scaleSources)).nullable(),
  z.array(coded('note')),
  z.tuple([z.int().positive(), z.int().positive()]), // size and scale of the view
  z.union([z.number().positive(), z.array(z.number()).length(8)]).nullable(),
  // By attribute, its value; or its values, best first, each with its probability in thousandths.
  z.record(z.string(), z.array(code).min(1)),
  z.array(z.tuple([coded('line'), z.number().nullable()], z.int())), // with its centimetres and its ends
  coded('Item Type').nullable().optional(), // measuredAs
])

/** Where statements find parts of it. */
export const storedPaths = { attributes: '$[6]', measuredAs: '$[8]' }

const suppliedNames = entries
  .filter((entry) => !isRanked(entry) && entry.source.client === true)
  .map(({ name }) => name)

/**
 * What is stored of a result: nothing that follows from the rest, as a confidence does from its probability, nor from
 * what the client supplied.
 */
export function formatResult({ tag, measurements, details }: Pick<TaggedPicture, 'tag' | 'measurements' | 'details'>) {
  const { tagger, shown, scale, notes, probabilities, measuredAs, view } = details
  const confidences = Object.keys(probabilities).map((name) => `${name} Confidence`)
  const attributes: Record<string, (string | number)[]> = {}
  for (const [name, value] of Object.entries(tag)) {
    const shares = probabilities[name]
    if (shares !== undefined) {
      const values = [value, tag[`${name} Alternatives`] ?? []].flat()
      attributes[keyOf(name)] = values.flatMap((each, i) => [codeOf(name, each), Math.round((shares[i] ?? 0) * 1000)])
    } else if (typeof value === 'string' && !suppliedNames.includes(name) && !confidences.includes(name))
      attributes[keyOf(name)] = [codeOf(name, value)]
  }
  const lines = [...new Set([...Object.keys(measurements).map(lineName), ...Object.keys(view.lines)])]
  return JSON.stringify([
    tagger,
    codeOf('shown', shown),
    scale && codeOf('scale', scale),
    notes.map((note) => codeOf('note', note)),
    view.size,
    view.scale ?? null,
    attributes,
    lines.map((name) => [
      codeOf('line', name),
      measurements[measurementKey(name)] ?? null,
      ...(view.lines[name] ?? []),
    ]),
    ...(measuredAs === undefined ? [] : [codeOf('Item Type', measuredAs)]),
  ])
}

/** A result as it was stored; without what the client supplied. */
export function parseResult(stored: string) {
  const [tagger, shown, scale, notes, size, viewScale, attributes, lines, measuredAs] = storedSchema.parse(
    JSON.parse(stored),
  )
  const tag: Record<string, string | string[]> = {}
  const ranked: Record<string, Ranked> = {}
  for (const [key, [value = '', ...rest]] of Object.entries(attributes)) {
    const name = namesByKey.get(key) ?? key
    const shares = [value, ...rest]
    if (rest.length === 0) tag[name] = textOf(name, value)
    else {
      ranked[name] = shares.flatMap((each, i) =>
        i % 2 === 0 ? [{ value: textOf(name, each), probability: Number(shares[i + 1]) / 1000 }] : [],
      )
      Object.assign(tag, toEntries(name, ranked[name]))
    }
  }
  const view: View = {
    size,
    ...(viewScale === null ? {} : { scale: viewScale }),
    lines: Object.fromEntries(
      lines.flatMap(([name, , ...ends]) => (ends.length === 0 ? [] : [[name, linePointsSchema.parse(ends)]])),
    ),
  }
  return {
    tag,
    ranked,
    measurements: Object.fromEntries(lines.flatMap(([name, cm]) => (cm === null ? [] : [[measurementKey(name), cm]]))),
    view,
    measuredAs: measuredAs ?? undefined,
    shown,
    scale,
    notes,
    tagger,
  }
}

export type StoredResult = ReturnType<typeof parseResult>
