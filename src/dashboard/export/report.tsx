import { countGarments, formatCount } from '../../count.ts'
import { usualMaxLookedThrough, type ExportReport } from '../../export/check-export.ts'
import { Columns } from '../parts/list.tsx'
import { Notice } from '../parts/text.tsx'
import { garmentPath } from '../paths.ts'

const noneText = (hasMore: boolean) =>
  hasMore
    ? `None of the first ${formatCount(usualMaxLookedThrough)} garments matches; choose a later day of upload.`
    : 'No garments match.'

/** The values that each garment still needs for a shop's import. */
export const Report = ({ report, name }: { report: ExportReport; name: string }) => {
  const { checked, hasMore, refused, lacking, counts, named } = report
  const ready = checked - refused - lacking
  return (
    <section class="card" aria-labelledby="report">
      <h2 id="report">Check for {name}</h2>
      <p>
        {hasMore ? 'Of the first ' : 'Of '}
        {countGarments(checked)}, {ready} {ready === 1 ? 'has' : 'have'} everything, {refused} would be refused and{' '}
        {lacking} {lacking === 1 ? 'lacks' : 'lack'} something that the shop accepts without.
      </p>
      {counts.length === 0 ? (
        <Notice tone="good" title={checked === 0 ? noneText(hasMore) : 'Nothing is missing.'} />
      ) : (
        <>
          <ul>
            {counts.map(({ column, problem, isRefused, count }) => (
              <li>
                <strong>{column}</strong> {problem}: {countGarments(count)}
                {isRefused ? '' : ', which the shop accepts'}
              </li>
            ))}
          </ul>
          <p class="hint">
            Values for all garments are in the <a href="#defaults">defaults</a>. Those of one garment are attributes of
            its upload. <a href="/docs/guides/selling#your-own-values">Their names</a>
          </p>
          <table class="stack">
            <Columns names={['Garment', 'Problems']} />
            <tbody>
              {named.map(({ uuid, problems }) => (
                <tr>
                  <th scope="row">
                    <a href={garmentPath(uuid)}>
                      <span class="uuid">{uuid}</span>
                    </a>
                  </th>
                  <td data-label="Problems">
                    {problems.map(({ column, problem }) => `${column} ${problem}`).join('; ')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {refused + lacking > named.length && <p>And {countGarments(refused + lacking - named.length)} more.</p>}
        </>
      )}
    </section>
  )
}
