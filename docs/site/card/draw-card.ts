import { inkedBoxes, ruler } from './inked-boxes.ts'

/** Paper formats: file name, CSS name, and page size in millimetres. */
export const papers = [
  { file: 'card-a4.svg', page: 'A4', width: 210, height: 297 },
  { file: 'card-letter.svg', page: 'letter', width: 215.9, height: 279.4 },
] as const

/** Position below the markers, with one white cell in between. */
const textTop = 125

/** Draws the card for one paper format as SVG, in millimetres, without page margins. */
export function drawCard({ page, width, height }: (typeof papers)[number]): string {
  const number = (value: number) => String(Math.round(value * 1000) / 1000)
  const x = (cm: number) => number(width / 2 + cm * 10)
  const y = (cm: number) => number(height / 2 + cm * 10)
  const boxes = inkedBoxes.map(
    (box) => `M${x(box.left)} ${y(box.top)}h${number(box.width * 10)}v${number(box.height * 10)}H${x(box.left)}z`,
  )
  const labels = (count: number, apart: number, at: number, anchor: string) =>
    Array.from(
      { length: count },
      (_, index) =>
        `<text x="${x(at)}" y="${y(ruler.top + (index + 1) * apart + 0.1)}" text-anchor="${anchor}">${index + 1}</text>`,
    )
  const line = (text: string, row: number) =>
    `<text x="${x(0)}" y="${number(height / 2 + textTop + row * 5)}" text-anchor="middle" font-size="3.6">${text}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="3">
<title>Card to print for measuring garments</title>
<style>@page{size:${page};margin:0}</style>
<rect width="${width}" height="${height}" fill="#fff"/>
<path shape-rendering="crispEdges" d="${boxes.join('')}"/>
${[...labels(ruler.centimetres, 1, -0.7, 'end'), ...labels(ruler.inches, ruler.cmPerInch, 0.7, 'start')].join('\n')}
${line('Print at 100 % (actual size). Check with a ruler: the scales above must be 15 cm and 6 in long.', 0)}
${line('Lay it flat beside the garment, at the same height, and photograph all of both.', 1)}
</svg>
`
}
