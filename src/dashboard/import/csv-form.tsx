import { formatCount } from '../../count.ts'
import { maxLines } from '../../import/store/limits.ts'
import type { FormState } from '../parts/fields.tsx'
import { importsPath, importTemplatePath } from '../paths.ts'
import { CsvFields } from './csv-fields.tsx'

export const CsvForm = ({ form }: { form: FormState }) => (
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
      <code>Brand</code> or <code>Gender</code>. At most {formatCount(maxLines)} lines, with commas, semicolons or tabs
      between the cells. <a href={importTemplatePath}>Download a template</a>
    </p>
    <CsvFields form={form} />
    <button>Import the lines</button>
  </form>
)
