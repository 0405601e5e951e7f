import { Card } from '../parts/text.tsx'
import { studioPhotographPath } from '../paths.ts'
import type { Studio } from '../../garments/studios.ts'
import { formatNames } from '../../vision/image/formats.ts'
import { Field, type FormState, FileField, PostForm } from '../parts/fields.tsx'
import { Table } from '../parts/list.tsx'
import { RowAction } from '../parts/actions.tsx'

/** The page has a field `name` for the shop. */
export const studioFields = ['studio_name', 'cm_per_pixel']

export const photographFields = ['studio', 'image']

interface StudiosProps {
  readonly studios: readonly Studio[]
  readonly form: FormState | undefined
  readonly photograph: FormState | undefined
}

export const Studios = ({ studios, form, photograph }: StudiosProps) => (
  <Card id="studios" title="Studios">
    <p class="lead">
      If a studio has a fixed camera, photograph the printed card with it once, or enter how many centimetres one pixel
      covers. Garments that are added with its name as their studio are measured with this scale; all others with an
      estimate from typical sizes. With the printed card beside the garment (<a href="/assets/card-a4.svg">A4</a>,{' '}
      <a href="/assets/card-letter.svg">US Letter</a>) no studio is needed.{' '}
      <a href="/docs/guides/tags-and-measurements#where-centimetres-come-from">Where centimetres come from</a>
    </p>
    {studios.length > 0 && (
      <Table names={['Studio', 'Centimetres per pixel']} hasActions>
        {studios.map(({ name, cm_per_pixel }) => (
          <tr>
            <th scope="row">{name}</th>
            <td data-label="cm per pixel">{cm_per_pixel}</td>
            <RowAction path="/dashboard/tenant/studios/remove" fields={{ name }} label="Remove" about={name} isBad />
          </tr>
        ))}
      </Table>
    )}
    <h3>By a photograph of the printed card</h3>
    <PostForm
      action={studioPhotographPath}
      enctype="multipart/form-data"
      form={photograph}
      button="Read the scale"
      kind="plain"
    >
      <div class="pair">
        <Field name="studio" label="Name of the studio" hint="As you name it when you add garments." />
        <FileField
          name="image"
          label="Photograph of the card"
          hint={`${formatNames}, at most 20 MiB, as the camera takes garments: same place, same zoom, same size.`}
        />
      </div>
    </PostForm>
    <h3>By a number</h3>
    <PostForm action="/dashboard/tenant/studios" form={form} button="Save studio" kind="plain">
      <div class="pair">
        <Field
          name="studio_name"
          label="Studio"
          hint="As you name it when you add garments; upper and lower case are the same."
        />
        <Field
          name="cm_per_pixel"
          type="number"
          label="Centimetres per pixel"
          placeholder="0.05"
          hint="A 30 cm ruler that is 600 pixels long gives 0.05."
        />
      </div>
    </PostForm>
  </Card>
)
