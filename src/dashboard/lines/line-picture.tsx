import { picturePath } from '../../garment/annotated-picture.ts'
import type { GarmentResult } from '../../garment/fields.ts'
import { machineResult, type GarmentRow } from '../../garment/to-garment-response.ts'
import { originalPath } from '../../garment/uploaded-file.ts'
import { measuredLength, type View } from '../../vision/lines/view.ts'
import type { ListValues } from '../garments/list/read-filter.ts'
import type { FormState } from '../parts/fields.tsx'
import { LineForm } from './line-form.tsx'
import { lineField, lineNames, lineValues } from './line-values.ts'

interface AnnotatedPictureProps {
  readonly garment: GarmentRow
  readonly result: GarmentResult
}

export const AnnotatedPicture = ({ garment, result }: AnnotatedPictureProps) => {
  const names = Object.keys(result.lines ?? {})
  const lines = names.length === 0 ? '' : ` with lines for ${names.join(', ')}`
  return <img src={picturePath(garment.tenantId, garment.pictureId)} alt={`Annotated picture${lines}`} />
}

interface LinePictureProps extends AnnotatedPictureProps {
  /** Input that was sent but not stored. */
  readonly form?: FormState
  /** The parameters of the list that the garment is looked at from. */
  readonly list?: ListValues
  /** Where a click on the picture leads. */
  readonly href?: string
}

/** The annotated picture. If its scale is known, the ends of its lines can be dragged. */
export const LinePicture = ({ garment, result, form, list, href }: LinePictureProps) => {
  const { view } = machineResult(garment)
  const names = lineNames(result)
  const picture = <AnnotatedPicture garment={garment} result={result} />
  const shown = href === undefined ? picture : <a href={href}>{picture}</a>
  if (view?.scale === undefined || names.length === 0)
    return (
      <figure class="card picture">
        {shown}
        <figcaption>{result.description}</figcaption>
      </figure>
    )
  const opened = lineValues(result)
  const values = { ...opened, ...form?.values }
  return (
    <figure
      class="card picture"
      data-lines=""
      data-scale={JSON.stringify(view.scale)}
      data-original={originalPath(garment.tenantId, garment.imageUrl) ?? undefined}
    >
      <div class="stage">
        {shown}
        <div class="overlay" data-with-scripts="" hidden>
          <Overlay view={view} names={names} values={values} />
        </div>
      </div>
      <figcaption>{result.description}</figcaption>
      <LineForm {...{ garment, result, names, opened, list }} form={{ ...form, values }} />
    </figure>
  )
}

interface OverlayProps {
  readonly view: View
  readonly names: readonly string[]
  readonly values: FormState['values']
}

const ends = ['first', 'second'] as const

/** Lines with ends to drag, over a picture of the same proportions. The script moves them with the form's values. */
const Overlay = ({ view, names, values }: OverlayProps) => {
  const [width, height] = view.size
  const edge = Math.max(width, height)
  return (
    <svg viewBox={`0 0 ${width} ${height}`}>
      {names.map((name) => {
        const numbers = values[lineField(name)]?.split(',').map(Number) ?? []
        const [x = 0, y = 0, toX = 0, toY = 0] = numbers
        const cm = measuredLength(view, [x, y, toX, toY]) ?? 0
        const places = [
          [x, y],
          [toX, toY],
        ] as const
        return (
          <g data-line={name} {...(numbers.length === 4 ? {} : { display: 'none' })}>
            <line class="rim" x1={x} y1={y} x2={toX} y2={toY} />
            <line x1={x} y1={y} x2={toX} y2={toY} />
            {ends.map((end, index) => (
              <g
                data-end={index}
                tabindex={0}
                role="slider"
                aria-label={`${name}, ${end} end`}
                aria-valuemin={0}
                aria-valuemax={500}
                aria-valuenow={cm}
                aria-valuetext={`${cm.toFixed(1)} cm, at ${places[index]?.join(', ')}`}
                transform={`translate(${places[index]?.[0]} ${places[index]?.[1]})`}
              >
                <circle class="reach" r={edge / 26} />
                <circle class="end" r={edge / 90} />
              </g>
            ))}
          </g>
        )
      })}
    </svg>
  )
}
