import { type Context, Hono } from 'hono'
import { acceptImages } from '../../garments/accept-upload.ts'
import { type GarmentRow, getGarment } from '../../garments/garment.ts'
import { formatNumber, readNumber } from '../../garments/list/garment-number.ts'
import { maxPictures, parsePictures } from '../../garments/pictures/garment-picture.ts'
import { findNumbers } from '../../garments/reserve-numbers.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import { binDays } from '../../garments/bin.ts'
import { formBody, readForm } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { Breadcrumb, Heading, When } from '../parts/elements.tsx'
import { PostForm } from '../parts/form-fields.tsx'
import { render } from '../parts/layout.tsx'
import { garmentPath, garmentsPath, mergePath } from '../paths.ts'
import { type DashboardEnv, forTenant } from '../viewer.ts'
import { nameOf } from './garment-name.ts'
import { SmallPicture } from './garment-pictures.tsx'
import { resultOf } from './tag-notes.tsx'

export const mergePages = new Hono<DashboardEnv>()

/** Shows both garments and asks which one stays. Proposes the older one. */
mergePages.get(mergePath, forTenant, async (c) => {
  const [db, tenantId] = [c.get('db'), c.get('tenant').id]
  const { uuid = '', with: other = '' } = c.req.query()
  c.set('uuid', uuid)
  const garment = await getGarment(db, tenantId, uuid)
  const number = readNumber(other)
  const [found] = number === undefined ? [] : (await findNumbers(db, tenantId, [number])).used
  if (found === undefined) throw invalidBody([`“${other}” is the number of no garment. Enter one such as G-12.`])
  if (found.uuid === uuid) throw invalidBody(['A garment cannot be merged with itself.'])
  const both = [garment, await getGarment(db, tenantId, found.uuid)].toSorted((a, b) => a.createdAt - b.createdAt)
  const count = both.reduce((sum, each) => sum + parsePictures(each).length, 0)
  return await render(
    c,
    { title: 'Merge two garments', section: garmentsPath },
    <>
      <Breadcrumb name="Garments" path={garmentsPath} />
      <Heading
        title="Merge two garments"
        lead={`The garment that stays gets all ${count} pictures and keeps its values. The other goes into the bin for ${binDays} days.`}
      />
      {count > maxPictures ? (
        <p class="problem">A garment has at most {maxPictures} pictures. Remove some first.</p>
      ) : (
        <PostForm class="card" action={mergePath} button="Merge">
          {both.map((each, i) => (
            <Candidate c={c} garment={each} isProposed={i === 0} />
          ))}
          <input type="hidden" name="a" value={garment.uuid} />
          <input type="hidden" name="b" value={found.uuid} />
        </PostForm>
      )}
    </>,
  )
})

interface CandidateProps {
  readonly c: Context<DashboardEnv>
  readonly garment: GarmentRow
  readonly isProposed: boolean
}

const Candidate = ({ c, garment, isProposed }: CandidateProps) => (
  <div class="candidate">
    <label class="check">
      <input type="radio" name="uuid" value={garment.uuid} checked={isProposed} />
      <span>
        <strong>{nameOf(garment, resultOf(c, garment).tag)}</strong> stays ({formatNumber(garment.number)}, uploaded{' '}
        <When at={garment.createdAt} />)
      </span>
    </label>
    <ul class="strip">
      {parsePictures(garment).map((picture, place) => (
        <li>
          <SmallPicture garment={garment} picture={picture} alt={`Picture ${place + 1}`} />
        </li>
      ))}
    </ul>
  </div>
)

mergePages.post(mergePath, formBody, forTenant, async (c) => {
  const [db, tenantId] = [c.get('db'), c.get('tenant').id]
  const { uuid = '', a = '', b = '' } = await readForm(c)
  c.set('uuid', uuid)
  await limitWrites(c.env, tenantId)
  const other = uuid === a ? b : a
  const [garment, given] = await Promise.all([getGarment(db, tenantId, uuid), getGarment(db, tenantId, other)])
  const images = [
    ...parsePictures(garment).map(({ id }) => ({ id })),
    ...parsePictures(given).map(({ id }) => ({ uuid: other, id })),
  ]
  const { origin } = new URL(c.req.url)
  await acceptImages({ env: c.env, db }, tenantId, { uuid, images, origin, by: c.get('viewer').actor }, Date.now())
  return c.redirect(garmentPath(uuid, { done: 'merged' }), 303)
})
