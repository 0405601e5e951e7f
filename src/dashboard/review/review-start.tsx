import { reviewedNames } from '../../correction/rules/allowed-values.ts'
import { Allowed } from '../parts/allowed.tsx'
import { Choice } from '../parts/choice.tsx'
import { Check } from '../parts/fields.tsx'
import { withQuery } from '../parts/list.tsx'
import { Empty, Heading, Notice } from '../parts/text.tsx'
import { garmentPath, nextReviewPath, reviewedAttributesPath, reviewSection, accuracyPath } from '../paths.ts'
import type { ReviewFilterValues } from './filter-values.ts'
import { Keys, Remaining } from './review-page.tsx'

interface ReviewStartProps {
  readonly hasDoubtful: boolean
  /** The number of doubtful garments, if requested. */
  readonly count: number | null
  /** The attributes that the tenant has reviewed. */
  readonly reviewed: readonly string[]
  readonly filter: ReviewFilterValues
  /** The newest ones, to choose from. */
  readonly imports: readonly { readonly id: string; readonly name: string }[]
  /** The requested uuid, if that garment is not claimed for the viewer or the claim has expired. */
  readonly uuid: string | undefined
  readonly isSaved: boolean
}

export const ReviewStart = ({ reviewed, filter, imports, uuid, ...props }: ReviewStartProps) => (
  <div id="review" data-next={withQuery(nextReviewPath, filter)}>
    <Heading
      title="Review"
      lead={`Garments with a value of medium or low confidence in ${reviewed.join(', ')}, the most doubtful first. Confirmed and corrected values have the confidence High from then on.`}
    >
      <a class="button plain" href={accuracyPath}>
        Accuracy
      </a>
    </Heading>
    {props.isSaved && <Notice tone="good" title="Your choice was saved. Garments follow within a minute." />}
    {uuid !== undefined && (
      <div class="notice calm" role="status">
        <p class="title">This garment is not reserved for you any more.</p>
        <p>
          A garment is reserved for one session for ten minutes. <a href={garmentPath(uuid)}>Open {uuid}</a>
        </p>
      </div>
    )}
    {props.hasDoubtful ? (
      <section class="card" aria-label="Start">
        <p>
          <Remaining filter={filter} count={props.count} />
        </p>
        <Keys />
        {/* Claims the next garment. Reading a page claims nothing. */}
        <form method="post" action={withQuery(nextReviewPath, filter)}>
          <button>Start reviewing</button>
        </form>
      </section>
    ) : (
      <Empty title="Nothing to review">
        <p>No garment {hasFilter(filter) && 'of this choice '}has a value in doubt that nobody has looked at.</p>
      </Empty>
    )}
    <Narrow filter={filter} reviewed={reviewed} imports={imports} />
    <Allowed to="POST /dashboard/review/attributes">
      <Reviewed reviewed={reviewed} />
    </Allowed>
  </div>
)

const hasFilter = (filter: ReviewFilterValues) => Object.keys(filter).length > 0

/** Filters the doubtful garments. */
const Narrow = ({ filter, reviewed, imports }: Pick<ReviewStartProps, 'filter' | 'reviewed' | 'imports'>) => (
  <section class="card" aria-labelledby="narrow">
    <h2 id="narrow">Review only some</h2>
    <form action={reviewSection}>
      <div class="pair">
        <Choice
          form={{ values: filter }}
          name="attribute"
          label="With doubt about"
          empty="Any attribute"
          values={reviewed}
          optional
        />
        <Choice
          form={{ values: filter }}
          name="import"
          label="Of the import"
          empty="All garments"
          values={imports.map(({ id }) => id)}
          names={Object.fromEntries(imports.map(({ id, name }) => [id, name]))}
          optional
        />
      </div>
      <button class="plain">Show</button>
    </form>
  </section>
)

/** The tenant's choice of attributes. */
const Reviewed = ({ reviewed }: Pick<ReviewStartProps, 'reviewed'>) => (
  <section class="card" aria-labelledby="reviewed">
    <h2 id="reviewed">What to review</h2>
    <p class="hint">Only doubt about these attributes brings a garment here. “Confirm” confirms these, sure or not.</p>
    <form method="post" action={reviewedAttributesPath}>
      {reviewedNames().map((name) => (
        <Check form={{ values: reviewed.includes(name) ? { [name]: 'yes' } : {} }} name={name} label={name} />
      ))}
      <button class="plain">Save</button>
    </form>
  </section>
)
