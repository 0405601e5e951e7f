import { formatCount } from '../../count.ts'
import { maxLines } from '../../import/store/limits.ts'
import { CsvFields } from '../import/csv-fields.tsx'
import type { FormState } from '../parts/fields.tsx'
import { Breadcrumb, Heading } from '../parts/text.tsx'
import { editCsvPath, garmentsPath } from '../paths.ts'

/** Changes values of existing garments by a file without pictures. */
export const EditPage = ({ form }: { form: FormState }) => (
  <>
    <Breadcrumb name="Garments" path={garmentsPath} />
    <Heading
      title="Change garments by CSV"
      lead="For garments that are here already: their prices, sizes, stock or any column of yours."
    />
    <form class="card" method="post" action={editCsvPath} enctype="multipart/form-data" novalidate>
      <p class="hint">
        The first line names the columns: <code>uuid</code> and those that are to change, such as <code>Price</code>. An
        empty cell changes nothing. At most {formatCount(maxLines)} lines. The next page shows how far it is, and names
        every line that could not be applied.
      </p>
      <CsvFields form={form} />
      <button>Change the garments</button>
    </form>
  </>
)
