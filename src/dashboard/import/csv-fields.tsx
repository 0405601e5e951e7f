import { Frame, inputAttributes, Summary, TextArea, type FormState } from '../parts/fields.tsx'

/** A CSV file, or its lines. */
export const CsvFields = ({ form }: { form: FormState }) => {
  const file = { form, name: 'file', label: 'CSV file', hint: 'Choose it, or drop it on this field.', optional: true }
  return (
    <>
      <Summary form={form} />
      <Frame {...file}>
        <input {...inputAttributes(file)} type="file" accept=".csv,.tsv,.txt,text/csv" />
      </Frame>
      <TextArea form={form} name="csv" label="Or paste the lines" rows={4} mono optional />
    </>
  )
}
