import { waitUntil } from 'cloudflare:workers'
import { type Context, Hono } from 'hono'
import { uploadLimits } from '../../garments/accept-upload.ts'
import { binDays, binQuery, cutBin, eraseGarments, findBinned, restoreGarment } from '../../garments/bin.ts'
import { pictureNotFound } from '../../garments/garment-errors.ts'
import { toGarmentResponse } from '../../garments/garment.ts'
import { findThumbnail } from '../../garments/pictures/draw-pictures.ts'
import { parsePictures, shownPicture } from '../../garments/pictures/garment-picture.ts'
import { annotatedCopyName } from '../../garments/pictures/stored-copy.ts'
import { deleteImports, restoreImports } from '../../imports/delete-import.ts'
import { binnedImportsQuery } from '../../imports/get-import.ts'
import { wakeImporter } from '../../imports/wake-importer.ts'
import { ApiError, invalidBody } from '../../platform/http/errors.ts'
import { runBatch } from '../../platform/db/database.ts'
import { settingsOf } from '../../settings.ts'
import { dayMs } from '../../time.ts'
import { formBody, readForm } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { Form } from '../parts/form-fields.tsx'
import { render } from '../parts/layout.tsx'
import { Table, Pager, SelectAll, SelectBox, selectedIds, withQuery } from '../parts/list-parts.tsx'
import { Breadcrumb, Card, Empty, Heading, PlainLink, WhenCell } from '../parts/elements.tsx'
import { shownNumber } from '../../garments/list/garment-number.ts'
import { binErasurePath, binPath, binRestorePath, binThumbnailPath, garmentsPath } from '../paths.ts'
import { type DashboardEnv, forTenant } from '../viewer.ts'
import { Thumbnail } from './garment-table.tsx'
import { nameOf } from './garment-name.ts'

const BinForm = ({ kind }: { kind: 'garments' | 'imports' }) => (
  <Form id={`bin-${kind}`} class="actions" action={binRestorePath} fields={{ kind }}>
    <SelectAll form={`bin-${kind}`} />
    <button>Undo the deletion</button>
    <details class="confirm">
      <summary>Delete permanently</summary>
      <p>The selected items are removed at once with everything that belongs to them. There is no undo.</p>
      <button class="bad" formaction={binErasurePath}>
        Delete the selected permanently
      </button>
    </details>
  </Form>
)

const pageSize = 24

export const binPages = new Hono<DashboardEnv>()

binPages.get(binPath, forTenant, async (c) => {
  const [db, tenantId, nowMs] = [c.get('db'), c.get('tenant').id, Date.now()]
  const { cursor } = c.req.query()
  const request = { limit: pageSize, cursor, nowMs }
  const { found, imports } = await runBatch(db, {
    found: binQuery(db, tenantId, request),
    imports: binnedImportsQuery(db, tenantId, cursor === undefined ? pageSize : 0, nowMs),
  })
  const { rows: garments, nextCursor } = cutBin(found, request)
  return await render(
    c,
    { title: 'Bin', section: garmentsPath },
    <>
      <Breadcrumb name="Garments" path={garmentsPath} />
      <Heading
        title="Bin"
        lead={`Garments and imports that you delete stay here for ${binDays} days. Until then you can undo the deletion, they count as stored, and their numbers stay taken.`}
      />
      <Card id="garments" title="Garments" kind="flush">
        {garments.length === 0 ? (
          <Empty title={cursor === undefined ? 'No garments in the bin' : 'No more garments'}>
            <p>What you delete stays here for {binDays} days.</p>
            <PlainLink to={garmentsPath}>Show all garments</PlainLink>
          </Empty>
        ) : (
          <Table names={['Garment', 'Deleted', 'Removed permanently']} isOfGarments>
            {garments.map((garment) => (
              <tr>
                <th scope="row">
                  <span class="pick">
                    <SelectBox form="bin-garments" id={garment.uuid} name={shownNumber(garment)} />
                    <span class="named">
                      <Thumbnail
                        garment={garment}
                        tenantId={garment.tenantId}
                        path={withQuery(binThumbnailPath, { uuid: garment.uuid })}
                      />
                      <span class="clipped title">
                        {nameOf(garment, toGarmentResponse({ ...garment, same: null }, undefined).tag)}
                      </span>
                    </span>
                  </span>
                </th>
                <WhenCell label="Deleted" at={garment.removeAt - binDays * dayMs} />
                <WhenCell label="Removed permanently" at={garment.removeAt} />
              </tr>
            ))}
          </Table>
        )}
      </Card>
      {garments.length > 0 && <BinForm kind="garments" />}
      <Pager path={binPath} query={{}} isFirst={cursor === undefined} next={nextCursor} nextName="Deleted before" />
      {imports.length > 0 && (
        <>
          <Card id="imports" title="Imports" kind="flush">
            <Table names={['Import', 'Begun', 'Removed permanently']}>
              {imports.map(({ id, name, createdAt, removeAt }) => (
                <tr>
                  <th scope="row">
                    <span class="pick">
                      <SelectBox form="bin-imports" id={id} name={name} />
                      <span class="break">{name}</span>
                    </span>
                  </th>
                  <WhenCell label="Begun" at={createdAt} />
                  <WhenCell label="Removed permanently" at={removeAt ?? 0} />
                </tr>
              ))}
            </Table>
          </Card>
          <BinForm kind="imports" />
        </>
      )}
    </>,
  )
})

// The public pictures of garments in the bin are hidden.
binPages.get(binThumbnailPath, forTenant, async (c) => {
  const { id: tenantId } = c.get('tenant')
  const garment = await findBinned(c.get('db'), tenantId, c.req.query('uuid') ?? '', Date.now())
  const picture = garment && shownPicture(parsePictures(garment))
  if (!picture) throw pictureNotFound()
  const pictureId = annotatedCopyName(picture.copyId)
  const thumbnail = { tenantId, pictureId, isCutoutOff: picture.cutoutOff, inBin: true }
  const found = await findThumbnail(c.env, thumbnail, undefined)
  if (found === null || !('drawn' in found)) throw pictureNotFound()
  return c.body(new Uint8Array(found.drawn), 200, {
    'Content-Type': 'image/jpeg',
    'Cache-Control': 'private, no-store',
  })
})

async function readSelected(c: Context<DashboardEnv>) {
  const values = await readForm(c)
  const ids = selectedIds(values)
  if (ids.length === 0) throw invalidBody(['Select at least one row of the bin.'])
  await limitWrites(c.env, c.get('tenant').id)
  return { ids, areImports: values['kind'] === 'imports' }
}

binPages.post(binRestorePath, formBody, forTenant, async (c) => {
  const { ids, areImports } = await readSelected(c)
  const [db, tenantId, nowMs, by] = [c.get('db'), c.get('tenant').id, Date.now(), c.get('viewer').actor]
  const { TAGGING_QUEUE: taggingQueue, WEBHOOK_QUEUE: webhookQueue } = c.env
  const limits = uploadLimits(settingsOf(c.env), nowMs)
  if (areImports) {
    await restoreImports(db, tenantId, { ids, by }, nowMs)
    waitUntil(wakeImporter(c.env, tenantId))
  } else
    for (const uuid of ids)
      await ignoreMissingGarment(async () =>
        restoreGarment({ db, taggingQueue, webhookQueue, limits }, tenantId, uuid, nowMs, by),
      )
  return c.redirect(`${binPath}?done=restored`, 303)
})

binPages.post(binErasurePath, formBody, forTenant, async (c) => {
  const { ids, areImports } = await readSelected(c)
  const [db, tenantId, nowMs, by] = [c.get('db'), c.get('tenant').id, Date.now(), c.get('viewer').actor]
  if (areImports) await deleteImports(db, tenantId, { ids, by }, nowMs)
  else await eraseGarments({ db, pictures: c.env.PICTURES }, tenantId, ids, nowMs, by)
  return c.redirect(`${binPath}?done=erased`, 303)
})

export async function ignoreMissingGarment(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'garment_not_found') throw error
  }
}
