import type { Context } from 'hono'
import { lineName } from '../../garments/corrections/allowed-values.ts'
import type { GarmentResult } from '../../garments/fields.ts'
import type { ScaleSource } from '../../vision/scene.ts'
import { Columns } from '../parts/list.tsx'
import { Empty, Notice } from '../parts/text.tsx'
import { itemTypeOf } from '../../garments/corrections/apply-corrections.ts'
import { failureReason } from '../../garments/failure.ts'
import { type GarmentRow, hasPicture, machineResult, toGarmentResponse } from '../../garments/garment.ts'
import { correctionPath } from '../paths.ts'
import type { ListValues } from './filter.tsx'
import { settingsOf } from '../../settings.ts'
import type { DashboardEnv } from '../viewer.ts'

type Tag = NonNullable<GarmentResult['tag']>

interface TagRow {
  readonly name: string
  readonly value: string
  readonly confidence?: string | undefined
  readonly alternatives: readonly string[]
}

/** Joins `Fit`, `Fit Confidence` and `Fit Alternatives` into one row. Keeps the tagger's order. */
function tagRows(tag: Tag): TagRow[] {
  return Object.entries(tag).flatMap(([name, value]) => {
    if (typeof value !== 'string' || / (Confidence|Alternatives)$/.test(name)) return []
    const confidence = tag[`${name} Confidence`]
    const alternatives = tag[`${name} Alternatives`]
    return [
      {
        name,
        value,
        confidence: typeof confidence === 'string' ? confidence : undefined,
        alternatives: Array.isArray(alternatives) ? alternatives : [],
      },
    ]
  })
}

const levels: Readonly<Record<string, number>> = { Low: 1, Medium: 2, High: 3 }

/** The level as text and as three bars. */
export const Confidence = ({ level }: { level: string }) => (
  <span class={`confidence ${level.toLowerCase()}`}>
    <svg viewBox="0 0 14 12" width="14" height="12" aria-hidden="true">
      {[0, 1, 2].map((i) => (
        <rect
          class={i < (levels[level] ?? 0) ? 'on' : 'off'}
          x={i * 5}
          y={8 - i * 4}
          width="4"
          height={4 + i * 4}
          rx="1"
        />
      ))}
    </svg>
    {level}
  </span>
)

/** An SVG, because the pages' content security policy forbids inline styles. */
const Swatch = ({ hex }: { hex: string }) =>
  /^#[0-9a-f]{6}$/i.test(hex) ? (
    <svg class="swatch" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <rect width="16" height="16" rx="4" fill={hex} />
    </svg>
  ) : null

interface TagsProps {
  readonly tag: Tag
  /** Attributes given by the client, which are returned unchanged. */
  readonly given: Readonly<Record<string, string>>
  /** The keys that a person corrected. */
  readonly corrected: readonly string[]
}

export const Tags = ({ tag, given, corrected }: TagsProps) => (
  <section class="card" aria-labelledby="tags">
    <h2 id="tags">Tags</h2>
    <p class="hint">
      <a href="/docs/guides/tags-and-measurements">What the tags mean</a>,{' '}
      <a href="/docs/guides/accuracy">what to do with Low</a>
    </p>
    <table class="tags">
      <Columns names={['Attribute', 'Value', 'Confidence']} />
      <tbody>
        {tagRows(tag).map(({ name, value, confidence, alternatives }) => (
          <tr>
            <th scope="row">{name}</th>
            <td>
              <span class="value">
                {name === 'Colour Hex' && <Swatch hex={value} />}
                {value}
              </span>
              {alternatives.length > 0 && <span class="alternatives">or {alternatives.join(', ')}</span>}
            </td>
            <td>
              {confidence !== undefined && <Confidence level={confidence} />}
              {corrected.includes(name) && <span class="hint"> corrected</span>}
              {confidence === undefined && given[name] === value && <span class="hint">from your upload</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** Where centimetres come from. */
const scaleNames: Readonly<Record<ScaleSource, string>> = {
  card: 'the printed card',
  studio: 'the studio',
  estimate: 'usual sizes',
}

const unfound = ['No points of measure were found on this garment.']

const Sentences = ({ of }: { of: readonly string[] }) => (
  <>
    {of.map((sentence) => (
      <p>{sentence}</p>
    ))}
  </>
)

type MeasurementsProps = Pick<GarmentResult, 'notes' | 'scale' | 'corrected'> & {
  readonly measurements: NonNullable<GarmentResult['measurements']>
}

export const Measurements = ({ measurements, notes, scale, corrected = [] }: MeasurementsProps) => (
  <section class="card" aria-labelledby="measurements">
    <h2 id="measurements">Measurements</h2>
    <p class="hint">
      <a href="/docs/guides/tags-and-measurements#measurements">From where to where</a>
      {scale !== null && (
        <>
          ,{' '}
          <a href="/docs/guides/tags-and-measurements#where-centimetres-come-from">
            centimetres from {scaleNames[scale]}
          </a>
        </>
      )}
    </p>
    {Object.keys(measurements).length === 0 ? (
      <Empty title="No measurements">
        <Sentences of={notes.length === 0 ? unfound : notes} />
        <p>
          <a href="/docs/guides/photographs">What helps</a>
        </p>
      </Empty>
    ) : (
      <>
        <Sentences of={notes} />
        <table class="measurements">
          <Columns names={['Measure', 'Length']} />
          <tbody>
            {Object.entries(measurements).map(([name, value]) => (
              <tr>
                <th scope="row">{lineName(name)}</th>
                <td>
                  {value.toFixed(1)} cm{corrected.includes(name) && <span class="hint"> corrected</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </>
    )}
  </section>
)

interface RemeasuredProps {
  readonly garment: GarmentRow
  readonly result: GarmentResult
  /** The parameters of the list that the garment was opened from. */
  readonly list: ListValues
}

/** Explains what happens to the measurements after a person has changed the item type. */
export const Remeasured = ({ garment, result, list }: RemeasuredProps) => {
  const itemType = result.tag?.['Item Type']
  if (garment.dueAt !== null)
    return (
      <Notice tone="busy" title={`The picture is being tagged and measured again as ${String(itemType)}.`}>
        <p data-without-scripts>
          <a href="">Reload</a>
        </p>
      </Notice>
    )
  if (!hasPicture(garment))
    return <Notice tone="calm" title={`Described by hand: ${failureReason(garment.failureReason)}`} />
  if (itemTypeOf(machineResult(garment)) === itemType) return null
  return (
    <Notice tone="bad" title={`Not measured as ${String(itemType)}: the picture could not be read again.`}>
      <p>
        <a href={correctionPath(garment.uuid, list)}>Enter the measurements by hand</a>
      </p>
    </Notice>
  )
}

/** A garment as the API returns it. */
export const resultOf = (c: Context<DashboardEnv>, garment: GarmentRow) =>
  toGarmentResponse(garment, settingsOf(c.env).PUBLIC_URL)

type Opinion = NonNullable<GarmentResult['second_opinion']>

const speakers: Readonly<Record<Opinion['attributes'][string]['spoke'], string>> = {
  both: 'both agree',
  network: "the tagger's value",
  opinion: "the model's value",
  neither: 'a value between both',
}

/** The answers of the second model, and where the picture contradicts the upload. */
export const SecondOpinion = ({ opinion }: { opinion: Opinion }) => (
  <>
    {opinion.contradicts.length > 0 && (
      <Notice tone="calm" title={`The picture contradicts what you gave as ${opinion.contradicts.join(', ')}.`}>
        <p>Your values were kept. Look at the tags, and correct whichever is wrong.</p>
      </Notice>
    )}
    <p class="hint">
      <a href="/docs/operations/second-opinion">A second model was asked</a>:{' '}
      {Object.entries(opinion.attributes)
        .map(([name, { spoke }]) => `${name === 'shown' ? 'how it is shown' : name} (${speakers[spoke]})`)
        .join(', ')}
      .
    </p>
  </>
)
