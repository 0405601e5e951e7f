import { maxLines } from '../../import/store/limits.ts'
import { Frame, inputAttributes, Summary, TextArea, type FormState } from '../parts/fields.tsx'
import { importsPath, importTemplatePath } from '../paths.ts'

export const CsvForm = ({ form }: { form: FormState }) => {
  const file = {
    form,
    name: 'file',
    label: 'CSV file',
    hint: 'Choose it, or drop it on this field.',
    optional: true,
  }
  return (
    <form
      class="card"
      method="post"
      action={importsPath}
      enctype="multipart/form-data"
      novalidate
      aria-labelledby="csv-title"
    >
      <h2 id="csv-title">Addresses of images</h2>
      <p class="hint">
        The first line names the columns: <code>uuid</code>, <code>image_url</code> and any attributes, such as{' '}
        <code>Brand</code> or <code>Gender</code>. At most {maxLines.toLocaleString('en-US')} lines, with commas,
        semicolons or tabs between the cells. <a href={importTemplatePath}>Download a template</a>
      </p>
      <Summary form={form} />
      <Frame {...file}>
        <input {...inputAttributes(file)} type="file" accept=".csv,.tsv,.txt,text/csv" />
      </Frame>
      <TextArea form={form} name="csv" label="Or paste the lines" rows={4} mono optional />
      <button>Import the lines</button>
    </form>
  )
}
