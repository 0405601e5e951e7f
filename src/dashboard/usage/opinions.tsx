import type { OpinionQuota } from '../../quota/find-opinion-quota.ts'

const dollars = (amount: number) =>
  amount.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 3,
  })

/** What second opinions cost this month, beside the account's share of the budget. */
export const Opinions = ({ used, limit }: OpinionQuota) => (
  <section class="card" aria-labelledby="opinions">
    <h2 id="opinions">Second opinions in this month</h2>
    <p>
      <strong>{dollars(used)}</strong> of {dollars(limit)}{' '}
      <span class="hint">
        Above it, garments are tagged without a second opinion. The month begins at 00:00 UTC on the first.
      </span>
    </p>
  </section>
)
