import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Row } from './evaluate-photos.ts'
import { isScored, isTypeRight } from './score-photos.ts'

const maxFigures = 120

const escape = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

/**
 * Writes an HTML page of the worst errors, with the outline drawn over each photograph: refused ones, then wrong item
 * types from the most confident on, then the worst outlines. It links the photographs where they are. Gives its path.
 */
export async function writeContactSheet(rows: readonly Row[], target: string): Promise<string> {
  const scored = rows.filter(({ photo }) => isScored(photo.type))
  const certainty = ({ answer }: Row) => answer?.ranked['Item Type']?.[0]?.probability ?? 2
  const wrong = scored.filter((row) => !isTypeRight(row)).sort((a, b) => certainty(b) - certainty(a))
  const outlines = scored
    .filter(({ iou }) => iou !== undefined && iou < 0.9)
    .sort((a, b) => (a.iou ?? 0) - (b.iou ?? 0))
  const section = (title: string, part: readonly Row[]) =>
    `<h2>${title}: ${part.length}</h2><main>${part.slice(0, maxFigures).map(figureOf).join('')}</main>`
  const page = `<!doctype html><meta charset="utf-8"><title>Worst errors</title><style>
body { font: 13px system-ui; margin: 16px } main { display: flex; flex-wrap: wrap; gap: 10px }
figure { margin: 0; width: 190px } .picture { position: relative } img { width: 190px; display: block }
svg { position: absolute; inset: 0; width: 100%; height: 100% } polygon { fill: none; stroke: #f04; stroke-width: 3 }
</style>${section('Wrong item types', wrong)}${section('Worst outlines', outlines)}`
  await mkdir(target, { recursive: true })
  const path = join(target, 'worst-errors.html')
  await writeFile(path, page)
  return path
}

function figureOf({ photo, answer, iou }: Row): string {
  const source = pathToFileURL(resolve(photo.folder, 'images', `${photo.id}.jpg`)).href
  const points = answer?.outlines[0]
    ?.filter((_, index) => index % 4 === 0)
    .map(([x, y]) => `${x.toFixed(0)},${y.toFixed(0)}`)
  const best = answer?.ranked['Item Type']?.[0]
  const caption =
    best === undefined
      ? `${photo.type}, refused`
      : `${photo.type}, not ${best.value} ${best.probability.toFixed(2)}; ${photo.colours.join('/')}: ${String(answer?.tag['Colour'])}; ${photo.pattern}: ${String(answer?.tag['Pattern'])}`
  return `<figure><div class="picture"><img loading="lazy" src="${source}" onload="this.nextElementSibling?.setAttribute('viewBox', '0 0 ' + this.naturalWidth + ' ' + this.naturalHeight)">${points === undefined ? '' : `<svg><polygon points="${points.join(' ')}"/></svg>`}</div><figcaption>${escape(caption)}${iou === undefined ? '' : `; IoU ${iou.toFixed(2)}`}</figcaption></figure>`
}
