import { itemTypes } from '../../vision/taxonomy/item-types.ts'
import { Choice } from './choice.tsx'
import { Field, type FormState } from './fields.tsx'

/** The fields by which garments are found and exported. */
export const UploadedBetween = ({ form }: { form: FormState }) => (
  <>
    <Field form={form} name="from" type="date" label="Uploaded from" hint="The first day, in UTC." optional />
    <Field form={form} name="to" type="date" label="Uploaded until" hint="The last day, in UTC." optional />
  </>
)

export const ItemTypeChoice = ({ form }: { form: FormState }) => (
  <Choice
    form={form}
    name="item_type"
    label="Item type"
    empty="All"
    groups={[{ label: 'Item type', values: itemTypes }]}
    optional
  />
)
