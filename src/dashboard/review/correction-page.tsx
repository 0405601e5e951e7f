import type { MachineResult } from '../../correction/rules/apply-corrections.ts'
import { picturePath } from '../../garment/annotated-picture.ts'
import type { GarmentRow } from '../../garment/to-garment-response.ts'
import { correctionPath, garmentPath } from '../paths.ts'
import { Summary, type FormState } from '../parts/fields.tsx'
import { Heading } from '../parts/text.tsx'
import { CorrectionFields } from './correction-fields.tsx'

interface CorrectionPageProps {
  readonly garment: GarmentRow
  readonly machine: MachineResult
  readonly form: FormState
}

export const CorrectionPage = ({ garment, machine, form }: CorrectionPageProps) => (
  <>
    <p class="crumb">
      <a href="/dashboard/garments">Garments</a> / <a href={garmentPath(garment.uuid)}>{garment.uuid}</a>
    </p>
    <Heading
      title="Correct the tags"
      lead="Choose the right value, or the tagged one to confirm it. Results then give it with the confidence High."
    />
    <div class="result">
      <figure class="card picture">
        <img src={picturePath(garment.tenantId, garment.pictureId)} alt={`Annotated picture: ${garment.description}`} />
        <figcaption>{garment.description}</figcaption>
      </figure>
      <form class="card" method="post" action={correctionPath(garment.uuid)} novalidate data-renew="">
        <Summary form={form} />
        <CorrectionFields form={form} machine={machine} />
        <div class="actions">
          <button>Save</button>
          <button class="plain" name="confirm" value="rest">
            Save and confirm all others
          </button>
          <button class="plain" name="intent" value="renew" data-without-scripts>
            Show the fields of the chosen item type
          </button>
        </div>
      </form>
    </div>
    <script src="/assets/scripts/correction.js" type="module"></script>
  </>
)
