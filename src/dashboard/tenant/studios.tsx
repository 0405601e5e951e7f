import type { Studio } from '../../studio/fields.ts'
import { Field, Summary, type FormState } from '../parts/fields.tsx'
import { Columns } from '../parts/list.tsx'
import { Empty } from '../parts/text.tsx'

export const studioFields = ['name', 'cm_per_pixel']

export const Studios = ({ studios, form }: { studios: readonly Studio[]; form: FormState }) => (
  <section class="card" aria-labelledby="studios">
    <h2 id="studios">Studios</h2>
    <p class="lead">
      If a studio has a fixed camera, enter how many centimetres one pixel covers. Garments uploaded with that studio in
      the attribute <code>Studio</code> are measured with this scale; all others with an estimate from typical sizes.
      With the printed card beside the garment (<a href="/assets/card-a4.svg">A4</a>,{' '}
      <a href="/assets/card-letter.svg">US Letter</a>) no studio is needed.{' '}
      <a href="/docs/guides/tags-and-measurements#where-centimetres-come-from">Where centimetres come from</a>
    </p>
    {studios.length === 0 ? (
      <Empty title="No studios yet">
        <p>Studios appear here with their scale.</p>
      </Empty>
    ) : (
      <table class="stack">
        <Columns names={['Studio', 'Centimetres per pixel']} hasActions />
        <tbody>
          {studios.map(({ name, cm_per_pixel }) => (
            <tr>
              <th scope="row">{name}</th>
              <td data-label="cm per pixel">{cm_per_pixel}</td>
              <td class="end">
                <form method="post" action="/dashboard/tenant/studios/remove">
                  <input type="hidden" name="name" value={name} />
                  <button class="quiet bad">
                    Remove<span class="visually-hidden"> {name}</span>
                  </button>
                </form>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
    <form method="post" action="/dashboard/tenant/studios" novalidate>
      <Summary form={form} />
      <div class="pair">
        <Field form={form} name="name" label="Studio" hint="As in the attribute; upper and lower case are the same." />
        <Field
          form={form}
          name="cm_per_pixel"
          type="number"
          label="Centimetres per pixel"
          placeholder="0.05"
          hint="A 30 cm ruler that is 600 pixels long gives 0.05."
        />
      </div>
      <button class="plain">Save studio</button>
    </form>
  </section>
)
