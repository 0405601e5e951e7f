import type { Context } from 'hono'
import { isToBeTagged } from '../../garments/turns.ts'
import type { GarmentResult } from '../../garments/garment-fields.ts'
import type { ScaleSource } from '../../vision/scene.ts'
import { Notice } from '../parts/elements.tsx'
import { parseSame } from '../../garments/duplicates.ts'
import { garmentPath } from '../paths.ts'
import { itemTypeOf } from '../../garments/corrections/apply-corrections.ts'
import { failureReason } from '../../garments/failure.ts'
import { type GarmentRow, hasPicture, machineResult, showsSeveral, toGarmentResponse } from '../../garments/garment.ts'
import { settingsOf } from '../../settings.ts'
import type { DashboardEnv } from '../viewer.ts'

const levels: Readonly<Record<string, number>> = { Low: 1, Medium: 2, High: 3 }

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

const scaleNames: Readonly<Record<ScaleSource, string>> = {
  card: 'the printed card',
  studio: 'the studio',
  estimate: 'usual sizes',
}

export const MeasurementNotes = ({
  measurements,
  notes,
  scale,
}: Pick<GarmentResult, 'measurements' | 'notes' | 'scale'>) => (
  <p class="hint">
    {Object.keys(measurements ?? {}).length === 0 && notes.length === 0 && (
      <>
        No points of measure were found on this garment. <a href="/docs/guides/photographs">What helps</a>{' '}
      </>
    )}
    {notes.join(' ')}{' '}
    {scale !== null && (
      <>
        Laid flat, with{' '}
        <a href="/docs/guides/tags-and-measurements#where-centimetres-come-from">
          centimetres from {scaleNames[scale]}
        </a>
        .
      </>
    )}
  </p>
)

interface AboutPictureProps {
  readonly garment: Pick<GarmentRow, 'same'>
  readonly result: Pick<GarmentResult, 'shown' | 'tag'>
}

export const AboutPicture = ({ garment, result }: AboutPictureProps) => (
  <>
    {showsSeveral(result) && (
      <Notice tone="busy" title="The picture seems to show several garments.">
        <p>
          The tags describe the most prominent one. Photograph each garment alone. If they are sold together, choose the
          item type Set.
        </p>
      </Notice>
    )}
    <SamePicture garment={garment} />
  </>
)

function SamePicture({ garment }: Pick<AboutPictureProps, 'garment'>) {
  const same = parseSame(garment.same)
  if (same === null) return null
  return (
    <p class="hint same">
      Another garment has the same or nearly the same picture: <a href={garmentPath(same.uuid)}>{same.name}</a>
    </p>
  )
}

/** Explains what happens to the measurements after a person has changed the item type. */
export const Remeasured = ({ garment, result }: { garment: GarmentRow; result: GarmentResult }) => {
  const itemType = result.tag?.['Item Type']
  if (isToBeTagged(garment))
    return (
      <Notice tone="busy" title={`The picture is being tagged and measured again as ${String(itemType)}.`}>
        <p data-without-scripts>
          <a href="">Reload</a>
        </p>
      </Notice>
    )
  if (!hasPicture(garment)) return <Notice tone="calm" title={`Described by hand: ${failureReason(garment.failure)}`} />
  if (itemTypeOf(machineResult(garment)) === itemType) return null
  return (
    <Notice tone="bad" title={`Not measured as ${String(itemType)}: the picture could not be read again.`}>
      <p>
        <a href="#measurements">Enter the measurements by hand</a>
      </p>
    </Notice>
  )
}

export const resultOf = (c: Context<DashboardEnv>, garment: GarmentRow) =>
  toGarmentResponse(garment, settingsOf(c.env).PUBLIC_URL)
