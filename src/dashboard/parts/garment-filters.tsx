import { allowedValues } from '../../correction/rules/allowed-values.ts'
import { itemTypes } from '../../vision/taxonomy/item-types.ts'
import { Choice } from './choice.tsx'
import { Check, Field, type FormState } from './fields.tsx'

const colours = allowedValues('Colour', '')

/** The fields by which garments are found and exported. */
export const GarmentFilters = ({ form }: { form: FormState }) => (
  <>
    <div class="pair">
      <Field form={form} name="brand" label="Brand" hint="Exactly as in the tags." optional />
      <Choice form={form} name="item_type" label="Item type" empty="All" values={itemTypes} optional />
      <Choice
        form={form}
        name="colour"
        label="Colour"
        empty="All"
        values={Array.isArray(colours) ? colours : []}
        optional
      />
      <Field form={form} name="from" type="date" label="Uploaded from" hint="The first day, in UTC." optional />
      <Field form={form} name="to" type="date" label="Uploaded until" hint="The last day, in UTC." optional />
    </div>
    <Check form={form} name="corrected" label="Corrected by a person" />
    <Check form={form} name="doubtful" label="With a value in doubt" />
  </>
)
