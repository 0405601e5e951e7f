import { attributeSchema } from '../../garment/fields.ts'
import type { GarmentRow } from '../../garment/result.ts'
import { toLines } from '../lines.ts'
import { knownAttributes } from './read-upload.ts'

const steps = [
  ['queuing', 'Waiting in the queue'],
  ['processing', 'Fetching and tagging the picture'],
  ['complete', 'Done'],
] as const

export const Progress = ({ status }: { status: GarmentRow['status'] }) => (
  <section class="card" aria-label="Progress">
    <ol class="progress">
      {steps.map(([step, name]) => (
        <li aria-current={step === status ? 'step' : undefined}>{name}</li>
      ))}
    </ol>
    <p class="hint">
      Most garments take less than a second.{' '}
      <span data-scripted-only hidden>
        This page follows by itself.
      </span>
      <a href="" data-scriptless>
        Look again
      </a>
    </p>
  </section>
)

/** Why it failed, and the same upload again at a click: after a failure a uuid may be uploaded anew. */
export const Failure = ({ garment }: { garment: GarmentRow }) => {
  const attribute = attributeSchema.parse(JSON.parse(garment.attribute))
  const isKnown = (key: string) => (knownAttributes as readonly string[]).includes(key)
  const others = Object.fromEntries(Object.entries(attribute).filter(([key]) => !isKnown(key)))
  const fields = {
    uuid: garment.uuid,
    image_url: garment.imageUrl,
    attribute: toLines(others),
    ...Object.fromEntries(knownAttributes.map((key) => [`attribute.${key}`, attribute[key] ?? ''])),
  }
  return (
    <div class="notice bad">
      <p class="title">{garment.failureReason}</p>
      <p>Mend the picture or its address, then have it tagged again under the same uuid.</p>
      <form method="post" action="/dashboard/upload">
        {Object.entries(fields).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button class="plain">Tag it again</button>
      </form>
    </div>
  )
}
