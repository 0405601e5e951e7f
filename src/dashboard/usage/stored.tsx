import { formatCount } from '../../count.ts'
import type { QuotaName, Quotas } from '../../quota/quotas.ts'

const names: readonly (readonly [QuotaName, string])[] = [
  ['garments', 'Garments'],
  ['import_lines', 'Lines of imports'],
  ['text_bytes', 'Their uuids, addresses and attributes'],
  ['files', 'Uploaded files'],
  ['file_bytes', 'Their size'],
]

const amount = (name: QuotaName, value: number) =>
  name.endsWith('_bytes')
    ? `${(value / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`
    : formatCount(value)

/** What a tenant stores, beside its quotas. */
export const Stored = ({ used, limits }: { used: Quotas; limits: Quotas }) => (
  <section class="card flush" aria-labelledby="stored">
    <h2 id="stored">Stored</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Stored</th>
          <th scope="col">At most</th>
        </tr>
      </thead>
      <tbody>
        {names.map(([name, label]) => (
          <tr>
            <th scope="row">{label}</th>
            <td>{amount(name, used[name])}</td>
            <td>{amount(name, limits[name])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
