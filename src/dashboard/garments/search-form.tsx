import { allowedValues } from '../../correction/rules/allowed-values.ts'
import { Choice } from '../parts/choice.tsx'
import { Field, idOf } from '../parts/fields.tsx'
import { ItemTypeChoice, UploadedBetween } from '../parts/garment-filters.tsx'
import type { FilterValues } from './read-filter.ts'

const colours = allowedValues('Colour', '')

const Check = ({ name, label, values }: { name: 'corrected' | 'doubtful'; label: string; values: FilterValues }) => (
  <div class="check">
    <input type="checkbox" id={idOf(name)} name={name} value="yes" checked={values[name] === 'yes'} />
    <label for={idOf(name)}>{label}</label>
  </div>
)

/** Searches garments; the form of all filters is open where one of them is used. */
export const SearchForm = ({ path, values }: { path: string; values: FilterValues }) => {
  const form = { values }
  const { search: _, status, ...others } = values
  return (
    <form class="garment-search" role="search" action={path}>
      {status !== undefined && <input type="hidden" name="status" value={status} />}
      <div class="search">
        <label class="visually-hidden" for="search">
          Search by uuid
        </label>
        <input
          id="search"
          name="search"
          type="search"
          placeholder="uuid or its beginning"
          value={values.search ?? ''}
          autocomplete="off"
          maxlength={128}
        />
        <button class="plain">Search</button>
      </div>
      <details open={Object.keys(others).length > 0}>
        <summary>More filters</summary>
        <div class="pair">
          <Field form={form} name="brand" label="Brand" hint="Exactly as in the tags." optional />
          <ItemTypeChoice form={form} />
          <Choice
            form={form}
            name="colour"
            label="Colour"
            empty="All"
            groups={[{ label: 'Colour', values: Array.isArray(colours) ? colours : [] }]}
            optional
          />
          <UploadedBetween form={form} />
        </div>
        <Check name="corrected" label="Corrected by a person" values={values} />
        <Check name="doubtful" label="With a value in doubt" values={values} />
      </details>
    </form>
  )
}
