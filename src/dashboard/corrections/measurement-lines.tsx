import { type Child, useContext } from 'hono/jsx'
import type { LinesPatch } from '../../garments/corrections/check-corrections.ts'
import { lineNamesOf, measurementKey } from '../../garments/corrections/allowed-values.ts'
import { invalidCorrection } from '../../garments/corrections/correct-garment.ts'
import type { GarmentResult } from '../../garments/garment-fields.ts'
import type { FormValues } from '../form.ts'
import { type GarmentRow, machineResult } from '../../garments/garment.ts'
import { CurrentForm, Field, Form, type FormState } from '../parts/form-fields.tsx'
import { garmentPath } from '../paths.ts'
import { formatBase } from './read-correction.tsx'
import { copyPath, picturePath } from '../../garments/pictures/stored-copy.ts'
import { annotatedName } from '../../garments/pictures/answer-pictures.ts'
import { measuredPicture, parsePictures } from '../../garments/pictures/garment-picture.ts'
import { type LabelBox, placeLabel, listLabelPlaces } from '../../vision/annotate/annotate-picture.ts'
import { measuredLength, type View } from '../../vision/view.ts'

export const lineField = (name: string) => `lines.${name}`

export const lineNames = ({ tag }: Pick<GarmentResult, 'tag'>) => lineNamesOf(tag?.['Item Type'])

/** Formats each line as `x, y, x, y` in pixels of the original. A missing line is empty. */
function lineValues(result: Pick<GarmentResult, 'tag' | 'lines'>): FormValues {
  return Object.fromEntries(
    lineNames(result).map((name) => {
      const line = result.lines?.[name]
      return [lineField(name), line === undefined ? '' : [...line.from, ...line.to].join(', ')]
    }),
  )
}

/** Returns the lines that were changed since the form was opened. Throws 400 for an invalid line. */
export function readLines(values: FormValues, names: readonly string[]): LinesPatch {
  const opened = new URLSearchParams(values['opened'] ?? '')
  const numbersOf = (text: string) => text.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? []
  const problems: string[] = []
  const patch: Record<string, LinesPatch[string]> = {}
  for (const name of names) {
    const text = values[lineField(name)]?.trim()
    const before = opened.get(lineField(name)) ?? ''
    if (text === undefined || String(numbersOf(text)) === String(numbersOf(before))) continue
    const numbers = numbersOf(text)
    const [x = 0, y = 0, toX = 0, toY = 0] = numbers
    if (text === '') patch[name] = null
    else if (numbers.length === 4) patch[name] = { from: [x, y], to: [toX, toY] }
    else problems.push(`${lineField(name)}: must be four numbers of pixels, x and y of each end, or empty`)
  }
  if (problems.length > 0) throw invalidCorrection(problems)
  return patch
}

interface LineFieldsProps {
  readonly result: GarmentResult
  readonly names: readonly string[]
  readonly form: FormState
  readonly opened: FormValues
  /** The id of the form that the fields belong to, if they stand outside of it. */
  readonly formId: string | undefined
}

/** Shows the lines as lengths and as pixel coordinates. Only the coordinates are submitted. */
const LineFields = ({ result, names, form, opened, formId }: LineFieldsProps) => (
  <CurrentForm.Provider value={form}>
    <input type="hidden" name="opened" value={formatBase(opened)} form={formId} />
    <details open={names.some((name) => form.problems?.byField[lineField(name)] !== undefined)}>
      <summary>Correct the measuring lines</summary>
      <div data-with-scripts="" hidden>
        <ul class="line-list" aria-label="Measuring lines">
          {names.map((name) => (
            <LineItem
              name={name}
              cm={result.measurements?.[measurementKey(name)]}
              isDrawn={form.values[lineField(name)] !== ''}
            />
          ))}
        </ul>
        <p class="hint keys">
          Drag the ends of a line. By keyboard: <kbd>Tab</kbd> to an end, arrow keys move it (with <kbd>Shift</kbd>{' '}
          further), <kbd>Delete</kbd> takes the line out, <kbd>Enter</kbd> saves.
        </p>
      </div>
      <p class="hint">
        As numbers: x and y of one end, then of the other, in pixels of the original ({result.image_size?.width} x{' '}
        {result.image_size?.height}) from its upper left corner. Without numbers there is no line.
      </p>
      <div class="pair">
        {names.map((name) => (
          <Field name={lineField(name)} label={`${name} line`} form={formId} optional />
        ))}
      </div>
    </details>
  </CurrentForm.Provider>
)

function lengthText(cm: number | undefined, isDrawn: boolean): string {
  if (cm === undefined) return isDrawn ? '' : 'not measured'
  return `${cm.toFixed(1)} cm${isDrawn ? '' : ', without a line'}`
}

const LineItem = ({ name, cm, isDrawn }: { name: string; cm: number | undefined; isDrawn: boolean }) => (
  <li>
    {name} <output data-length={name}>{lengthText(cm, isDrawn)}</output>
    <button type="button" class="quiet" data-draw={name} hidden={isDrawn}>
      Draw<span class="visually-hidden"> {name}</span>
    </button>
    <button type="button" class="quiet" data-take-out={name} hidden={!isDrawn}>
      Take out<span class="visually-hidden"> {name}</span>
    </button>
  </li>
)

interface GarmentPictureProps {
  readonly garment: GarmentRow
  readonly result: GarmentResult
}

const GarmentPicture = ({ garment, result }: GarmentPictureProps) => {
  const { tenantId } = garment
  const picture = measuredPicture(parsePictures(garment))
  if (picture === undefined) return null
  const names = Object.keys(result.lines ?? {})
  const lines = names.length === 0 ? '' : ` with lines for ${names.join(', ')}`
  return (
    <a href={picturePath(tenantId, annotatedName(garment, picture))}>
      <img src={copyPath(tenantId, picture.copyId)} alt={`Picture of the garment${lines}`} />
    </a>
  )
}

/** Shows or hides the measuring lines. They also appear while lines or measurements are edited. */
const ShowLines = () => (
  <div class="check show-lines">
    <input type="checkbox" id="show-lines" data-remembered="" />
    <label for="show-lines">Show measurements</label>
  </div>
)

interface LinePictureProps extends GarmentPictureProps {
  /** The id of a form on the page that saves the lines together with other fields. */
  readonly formId?: string
  readonly caption?: Child
}

/** Shows the picture with its measuring lines. If the scale is known, the ends can be dragged. */
export const LinePicture = ({ garment, result, formId, caption }: LinePictureProps) => {
  const form = useContext(CurrentForm)
  const { view } = machineResult(garment)
  const names = lineNames(result)
  const opened = lineValues(result)
  const values = { ...opened, ...form.values }
  const lines = view === undefined ? [] : toLines(view, names, values)
  const picture = <GarmentPicture garment={garment} result={result} />
  if (view?.scale === undefined || names.length === 0)
    return (
      <figure class="picture">
        <div class="stage">
          {picture}
          {lines.length > 0 && view && <DrawnLines size={view.size} lines={lines} />}
        </div>
        {lines.length > 0 && <ShowLines />}
        <figcaption>{caption}</figcaption>
      </figure>
    )
  const fields = <LineFields {...{ result, names, opened, formId }} form={{ ...form, values }} />
  return (
    <figure class="picture" data-lines="" data-scale={JSON.stringify(view.scale)}>
      <div class="stage">
        {picture}
        <DrawnLines size={view.size} lines={lines} />
        <div class="overlay" data-with-scripts="" hidden>
          <Handles size={view.size} lines={lines} />
        </div>
      </div>
      <ShowLines />
      <figcaption>{caption}</figcaption>
      {formId !== undefined ? (
        <div class="line-form">{fields}</div>
      ) : (
        <Form class="line-form" action={garmentPath(garment.uuid)} data-line-form="" data-guard="">
          {fields}
          <p>
            <button class="plain">Save lines</button> <span class="hint" data-saved="" role="status"></span>
          </p>
        </Form>
      )}
    </figure>
  )
}

interface Line {
  readonly name: string
  readonly from: readonly [x: number, y: number]
  readonly to: readonly [x: number, y: number]
  /** 0 if the length is unknown. */
  readonly cm: number
  /** False if the line does not exist yet. Any missing line can be drawn. */
  readonly isDrawn: boolean
}

function toLines(view: View, names: readonly string[], values: FormState['values']): Line[] {
  return names.map((name) => {
    const numbers = values[lineField(name)]?.split(',').map(Number) ?? []
    const [x = 0, y = 0, toX = 0, toY = 0] = numbers
    const cm = measuredLength(view, [x, y, toX, toY]) ?? 0
    return { name, from: [x, y], to: [toX, toY], cm, isDrawn: numbers.length === 4 }
  })
}

interface LinesProps {
  /** Size of the upright original. Lines use its pixels. */
  readonly size: View['size']
  readonly lines: readonly Line[]
}

/** Radius of a handle, as a fraction of the picture's longer edge. */
const handleShare = 1 / 90

/** Maximum width of a letter, and of both sides of a label's rim, in font sizes. */
const letterWidth = 0.6
const rimWidth = 0.8

const hiddenUnless = (isDrawn: boolean) => (isDrawn ? {} : { display: 'none' })

/** Draws lines and their labels. Labels stay inside the picture and do not cover each other or the handles. */
const DrawnLines = ({ size: [width, height], lines }: LinesProps) => {
  const edge = Math.max(width, height)
  const textOf = ({ name, cm }: Line) => `${name} ${cm.toFixed(1)} cm`
  const widest = letterWidth * Math.max(0, ...lines.map((line) => textOf(line).length)) + rimWidth
  const fontSize = Math.min(edge / 42, (width - 4) / widest)
  const radius = edge * handleShare
  const taken = lines
    .filter(({ isDrawn }) => isDrawn)
    .flatMap(({ from, to }) => [from, to])
    .map(([x, y]): LabelBox => ({ left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius }))
  const labels = lines.map((line) => {
    const text = textOf(line)
    const [labelWidth, labelHeight] = [(letterWidth * text.length + rimWidth) * fontSize, 1.6 * fontSize]
    const box = placeLabel(listLabelPlaces(line), labelWidth, labelHeight, taken, width, height)
    if (line.isDrawn) taken.push(box)
    return { ...line, text, x: box.left + labelWidth / 2, y: box.top + labelHeight / 2 }
  })
  return (
    <svg class="drawn" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {lines.map(({ name, from, to, isDrawn }) => (
        <g data-line={name} {...hiddenUnless(isDrawn)}>
          {['rim', 'stroke'].map((kind) => (
            <line class={kind} x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />
          ))}
        </g>
      ))}
      <g font-size={fontSize}>
        {labels.map(({ name, isDrawn, text, x, y }) => (
          <text data-label={name} x={x} y={y} {...hiddenUnless(isDrawn)}>
            {text}
          </text>
        ))}
      </g>
    </svg>
  )
}

const ends = ['first', 'second'] as const

const Handles = ({ size: [width, height], lines }: LinesProps) => {
  const edge = Math.max(width, height)
  return (
    <svg viewBox={`0 0 ${width} ${height}`}>
      {lines.map(({ name, from, to, cm, isDrawn }) => (
        <g data-line={name} {...hiddenUnless(isDrawn)}>
          {ends.map((end, index) => {
            const place = index === 0 ? from : to
            return (
              <g
                data-end={index}
                tabindex={0}
                role="slider"
                aria-label={`${name}, ${end} end`}
                aria-valuemin={0}
                aria-valuemax={500}
                aria-valuenow={cm}
                aria-valuetext={`${cm.toFixed(1)} cm, at ${place.join(', ')}`}
                transform={`translate(${place.join(' ')})`}
              >
                <circle class="reach" r={edge / 26} />
                <circle class="end" r={edge * handleShare} />
              </g>
            )
          })}
        </g>
      ))}
    </svg>
  )
}
