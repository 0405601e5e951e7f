import { lineName } from '../../correction/rules/measurement.ts'
import type { GarmentResult } from '../../garment/fields.ts'
import type { ScaleSource } from '../../vision/scene.ts'
import { Columns } from '../parts/list.tsx'
import { Empty } from '../parts/text.tsx'

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
      <a href="/docs/guides/confidence">what to do with Low</a>
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
