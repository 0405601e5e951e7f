import { type Context, Hono } from 'hono'
import { acceptImages } from '../../garments/accept-upload.ts'
import { type GarmentRow, getGarment } from '../../garments/garment.ts'
import { formatNumber, readNumber } from '../../garments/list/garment-number.ts'
import { maxPictures, parsePictures } from '../../garments/pictures/garment-picture.ts'
import { findNumbers } from '../../garments/reserve-numbers.ts'
import type { Database } from '../../platform/db/database.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import { binDays } from '../../garments/bin.ts'
import { formBody, readForm } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { Breadcrumb, Heading, When } from '../parts/elements.tsx'
import { PostForm } from '../parts/form-fields.tsx'
import { render } from '../parts/layout.tsx'
import { selectedIds, selectField } from '../parts/list-parts.tsx'
import { garmentPath, garmentsPath, mergePath, mergeSelectedPath } from '../paths.ts'
import { type DashboardEnv, forTenant } from '../viewer.ts'
import { nameOf } from './garment-name.ts'
import { SmallPicture } from './garment-pictures.tsx'
import { resultOf } from './tag-notes.tsx'

export const mergePages = new Hono<DashboardEnv>()

mergePages.get(mergePath, forTenant, async (c) => {
  const [db, tenantId] = [c.get('db'), c.get('tenant').id]
  const chosen = c.req.queries('uuid') ?? []
  c.set('uuid', chosen[0] ?? '')
  const other = c.req.query('with')
  const uuids = new Set(other === undefined ? chosen : [...chosen, await uuidOfNumber(db, tenantId, other)])
  if (uuids.size < 2) throw invalidBody(['Choose at least two garments to merge.'])
  const garments = await getGarments(db, tenantId, [...uuids])
  const count = garments.reduce((sum, each) => sum + parsePictures(each).length, 0)
  return await render(
    c,
    { title: 'Merge garments', section: garmentsPath },
    <>
      <Breadcrumb name="Garments" path={garmentsPath} />
      <Heading
        title={`Merge ${garments.length} garments`}
        lead={`The garment that stays gets all pictures and keeps its values. The others go into the bin for ${binDays} days.`}
      />
      {count > maxPictures ? (
        <p class="problem">A garment has at most {maxPictures} pictures. Remove some first.</p>
      ) : (
        <PostForm
          class="card"
          action={mergePath}
          fields={Object.fromEntries(garments.map(({ uuid }) => [selectField(uuid), 'yes']))}
          button="Merge"
        >
          {garments.map((each, i) => (
            <Candidate c={c} garment={each} isProposed={i === 0} />
          ))}
        </PostForm>
      )}
    </>,
  )
})

async function uuidOfNumber(db: Database, tenantId: string, text: string): Promise<string> {
  const number = readNumber(text)
  const [found] = number === undefined ? [] : (await findNumbers(db, tenantId, [number])).used
  if (found === undefined) throw invalidBody([`“${text}” is the number of no garment. Enter one such as G-12.`])
  return found.uuid
}

/** Oldest first. Each has at least one picture, so more could never be merged. */
async function getGarments(db: Database, tenantId: string, uuids: readonly string[]): Promise<readonly GarmentRow[]> {
  if (uuids.length > maxPictures) throw invalidBody([`At most ${maxPictures} garments can be merged.`])
  const garments = await Promise.all(uuids.map((uuid) => getGarment(db, tenantId, uuid)))
  return garments.toSorted((a, b) => a.createdAt - b.createdAt)
}

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

mergePages.post(mergeSelectedPath, formBody, forTenant, async (c) => {
  const uuids = selectedIds(await readForm(c))
  if (uuids.length < 2) throw invalidBody(['Select at least two garments in the list.'])
  return c.redirect(`${mergePath}?${uuids.map((uuid) => `uuid=${encodeURIComponent(uuid)}`).join('&')}`, 303)
})

mergePages.post(mergePath, formBody, forTenant, async (c) => {
  const [db, tenantId] = [c.get('db'), c.get('tenant').id]
  const values = await readForm(c)
  const { uuid = '' } = values
  c.set('uuid', uuid)
  await limitWrites(c.env, tenantId)
  const garments = await getGarments(db, tenantId, selectedIds(values))
  if (!garments.some((garment) => garment.uuid === uuid)) throw invalidBody(['Choose the garment that stays.'])
  const images = garments
    .toSorted((a, b) => Number(b.uuid === uuid) - Number(a.uuid === uuid))
    .flatMap((garment) =>
      parsePictures(garment).map(({ id }) => (garment.uuid === uuid ? { id } : { uuid: garment.uuid, id })),
    )
  const { origin } = new URL(c.req.url)
  await acceptImages({ env: c.env, db }, tenantId, { uuid, images, origin, by: c.get('viewer').actor }, Date.now())
  return c.redirect(garmentPath(uuid, { done: 'merged' }), 303)
})
