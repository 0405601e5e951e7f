import type { MachineResult } from '../../correction/rules/apply-corrections.ts'
import type { GarmentResult } from '../../garment/fields.ts'
import { hasPicture, type GarmentRow } from '../../garment/to-garment-response.ts'
import { parseCorrections } from '../../correction/rules/correction.ts'
import { originalPath } from '../../garment/uploaded-file.ts'
import { AnnotatedPicture } from '../lines/line-picture.tsx'
import { Original } from '../parts/original.tsx'
import type { ListValues } from '../garments/list/read-filter.ts'
import { correctionPath, garmentsPath } from '../paths.ts'
import { Summary, type FormState } from '../parts/fields.tsx'
import { Breadcrumb, Heading } from '../parts/text.tsx'
import { CorrectionFields } from './correction-fields.tsx'
import { formValues } from './read-correction.ts'
import { OtherChanges } from './other-changes.tsx'
import { formatBase, type OtherChange } from './stale-form.ts'

export interface CorrectionPageProps {
  readonly garment: GarmentRow
  readonly result: GarmentResult
  readonly machine: MachineResult
  readonly form: FormState
  /** The parameters of the list that the garment is looked at from. */
  readonly list: ListValues
  /** What others have changed since the form was opened. */
  readonly changes?: readonly OtherChange[]
}

export const CorrectionPage = ({ garment, result, machine, form, list, changes = [] }: CorrectionPageProps) => (
  <>
    <Breadcrumb name="Garments" path={garmentsPath} uuid={garment.uuid} list={list} />
    <Heading
      title={garment.status === 'failed' ? 'Describe by hand' : 'Correct the tags'}
      lead={
        garment.status === 'failed'
          ? 'Say at least what it is and its colour. It is then complete, without an annotated picture.'
          : 'Choose the right value, or the tagged one to confirm it. Results then give it with the confidence High.'
      }
    />
    <div class="result">
      {hasPicture(garment) ? (
        <figure class="card picture">
          <AnnotatedPicture garment={garment} result={result} />
          <figcaption>{result.description}</figcaption>
        </figure>
      ) : (
        <Original path={originalPath(garment.tenantId, garment.imageUrl)} />
      )}
      <form class="card" method="post" action={correctionPath(garment.uuid, list)} novalidate data-renew="">
        {changes.length > 0 && <OtherChanges changes={changes} />}
        <Summary form={form} />
        <input type="hidden" name="base" value={formatBase(formValues(parseCorrections(garment.corrections)))} />
        <CorrectionFields form={form} machine={machine} />
        <div class="actions">
          <button>Save</button>
          {garment.status === 'complete' && (
            <button class="plain" name="confirm" value="rest">
              Save and confirm all others
            </button>
          )}
          <button class="plain" name="intent" value="renew" data-without-scripts>
            Show the fields of the chosen item type
          </button>
        </div>
      </form>
    </div>
    <script src="/assets/scripts/correction.js" type="module"></script>
  </>
)
