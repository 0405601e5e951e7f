import type { Studio } from '../../studio/fields.ts'
import { Field, Summary, type FormState } from '../parts/fields.tsx'
import { Empty } from '../parts/text.tsx'

export const studioFields = ['name', 'cm_per_pixel']

export const Studios = ({ studios, form }: { studios: readonly Studio[]; form: FormState }) => (
  <section class="card" aria-labelledby="studios">
    <h2 id="studios">Studios</h2>
    <p class="lead">
      Where the camera of a studio does not move, tell how many centimetres one pixel of its pictures is. Garments
      uploaded with that studio in the attribute <code>Studio</code> are measured exactly; others by typical sizes.
    </p>
    {studios.length === 0 ? (
      <Empty title="No studio yet">
        <p>Studios appear here with their scale.</p>
      </Empty>
    ) : (
      <table class="stack">
        <thead>
          <tr>
            <th scope="col">Studio</th>
            <th scope="col">Centimetres per pixel</th>
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {studios.map(({ name, cm_per_pixel }) => (
            <tr>
              <th scope="row">{name}</th>
              <td data-label="cm per pixel">{cm_per_pixel}</td>
              <td class="end">
                <form method="post" action="/dashboard/tenant/studios/remove">
                  <input type="hidden" name="name" value={name} />
                  <button class="quiet bad">
                    Remove<span class="unseen"> {name}</span>
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
        <Field form={form} name="name" label="Studio" hint="Just as it stands in the attribute." />
        <Field
          form={form}
          name="cm_per_pixel"
          type="number"
          label="Centimetres per pixel"
          placeholder="0.05"
          hint="A ruler of 30 cm that is 600 pixels long makes 0.05."
        />
      </div>
      <button class="plain">Save studio</button>
    </form>
  </section>
)
