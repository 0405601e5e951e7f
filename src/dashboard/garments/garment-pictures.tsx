import { formatNames } from '../../vision/image/formats.ts'
import { pictureKinds } from '../../vision/scene.ts'
import type { GarmentResult } from '../../garments/garment-fields.ts'
import type { GarmentRow } from '../../garments/garment.ts'
import { maxPictures, measuredPicture, parsePictures, type Picture } from '../../garments/pictures/garment-picture.ts'
import { copyPath, thumbnailPath } from '../../garments/pictures/stored-copy.ts'
import { type FormValues, drain, formBody, readFileForm, readForm, submit } from '../form.ts'
import { Section } from '../parts/elements.tsx'
import { FileField, Form, PostForm } from '../parts/form-fields.tsx'
import { withQuery } from '../parts/list-parts.tsx'
import { type ListValues, listValues } from './garment-filter.tsx'
import { Hono } from 'hono'
import { acceptImage, pictureChangeDeps } from '../../garments/accept-upload.ts'
import { changePictures } from '../../garments/pictures/change-pictures.ts'
import { invalidBody, maxBodyBytes } from '../../platform/http/errors.ts'
import { maxImageBytes } from '../../platform/outbound/fetch-image.ts'
import { emptyFile } from '../page-errors.ts'
import { limitWrites } from '../limit-writes.ts'
import { garmentPath } from '../paths.ts'
import { type DashboardEnv, forTenant } from '../viewer.ts'

interface PicturesProps {
  readonly garment: GarmentRow
  /** The same pictures in the API's form. */
  readonly images: GarmentResult['images']
  /** Query parameters of the list from which the garment was opened. */
  readonly list: ListValues
  /** True if the garment names a studio. Studio pictures must not be scaled down, because their scale is known. */
  readonly hasStudio: boolean
}

const kindNames = {
  front: 'Front',
  back: 'Back',
  label: 'Label',
  detail: 'Detail',
  flaw: 'Flaw',
  worn: 'Worn',
  other: 'Other',
} as const satisfies Record<(typeof pictureKinds)[number], string>

/** Shows the garment's pictures with forms to reorder them and to add more. */
export const Pictures = ({ garment, images, list, hasStudio }: PicturesProps) => (
  <Section id="pictures" title="Order, kinds and more pictures">
    <PostForm
      action={withQuery('/dashboard/garment/pictures', { uuid: garment.uuid, ...list })}
      button="Save the pictures"
      kind="plain"
    >
      <ol class="pictures">
        {parsePictures(garment).map((picture, place) => (
          <PictureFields garment={garment} image={images[place]} picture={picture} place={place} />
        ))}
      </ol>
      <p class="hint">
        Shops show the pictures in this order. The garment is described again and keeps your corrections.
      </p>
    </PostForm>
    {images.length < maxPictures && (
      <AddPictures {...{ garment, list, hasStudio }} left={maxPictures - images.length} />
    )}
  </Section>
)

const kindName = (kind: Picture['kind']): string => (kind === null ? 'Picture' : kindNames[kind])

/** Shows all pictures of a garment below its large picture, with their full size and their cut-outs. */
export function PictureStrip({ garment, images }: Pick<PicturesProps, 'garment' | 'images'>) {
  const pictures = parsePictures(garment)
  const measured = measuredPicture(pictures)
  return (
    <ul class="strip" aria-label="Pictures">
      {pictures.map((picture, place) => (
        <PictureInStrip
          {...{ garment, picture, place, image: images[place], isMeasured: picture.id === measured?.id }}
        />
      ))}
    </ul>
  )
}

function PictureInStrip({ garment, picture, image, place, isMeasured }: PictureFieldsProps & { isMeasured: boolean }) {
  if (image === undefined) return null
  const { kind, original_img: original, cutout_img: cutout } = image
  const { tenantId, uuid } = garment
  return (
    <li>
      {picture.width !== null && (
        <a
          href={original}
          rel="noopener noreferrer"
          data-picture={copyPath(tenantId, picture.copyId)}
          data-is-measured={isMeasured ? '' : undefined}
        >
          <img
            src={thumbnailPath(tenantId, picture.copyId)}
            alt={`Picture ${place + 1}: ${kindName(kind)}`}
            loading="lazy"
          />
        </a>
      )}
      <details class="chip" name="picture-menu">
        <summary>
          {kindName(kind)}
          <span class="visually-hidden"> {place + 1}</span>
        </summary>
        <ul class="options">
          <li>
            <a href={original} rel="noopener noreferrer">
              Full size
            </a>
          </li>
          {cutout !== '' && (
            <>
              <li>
                <a href={cutout} download={`${uuid}-${place + 1}.jpg`}>
                  Cut-out on white (JPEG)
                </a>
              </li>
              <li>
                <a href={`${cutout}?background=none`} download={`${uuid}-${place + 1}.png`}>
                  Cut-out without background (PNG)
                </a>
              </li>
            </>
          )}
        </ul>
      </details>
    </li>
  )
}

interface PictureFieldsProps extends Pick<PicturesProps, 'garment'> {
  readonly image: PicturesProps['images'][number] | undefined
  readonly picture: Picture
  /** Index of the picture, from 0. */
  readonly place: number
}

function PictureFields({ garment, image, picture, place }: PictureFieldsProps) {
  if (image === undefined) return null
  const { kind } = picture
  const { id, original_img: original, annotated_img: annotated, kind: predicted } = image
  const name = `picture ${place + 1}`
  const isShown = annotated !== '' && garment.status === 'complete'
  return (
    <li>
      <a href={original} rel="noopener noreferrer">
        {isShown ? (
          <img
            class="thumbnail"
            src={thumbnailPath(garment.tenantId, picture.copyId)}
            alt={`Original of ${name}`}
            loading="lazy"
          />
        ) : (
          `Original of ${name}`
        )}
      </a>
      <label>
        Place <input class="short" name={`place.${id}`} inputmode="numeric" value={String(place + 1)} />
      </label>
      <label>
        Shows{' '}
        <select name={`kind.${id}`}>
          <option value="">
            {kind === null && predicted !== null ? `Predicted: ${kindNames[predicted]}` : 'To be predicted'}
          </option>
          {pictureKinds.map((each) => (
            <option value={each} selected={each === kind}>
              {kindNames[each]}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input type="checkbox" name={`remove.${id}`} value="yes" /> Remove
      </label>
    </li>
  )
}

/** Files come last in the form, so that they can be streamed. */
const AddPictures = ({ garment, list, hasStudio, left }: Omit<PicturesProps, 'images'> & { left: number }) => (
  <Form
    action={withQuery('/dashboard/garment/pictures/add', { uuid: garment.uuid, ...list })}
    enctype="multipart/form-data"
    data-add-pictures={hasStudio ? 'studio' : ''}
  >
    {/* Not called `image`, because another field of the page may have that name. */}
    <FileField
      name="pictures"
      label="Add pictures"
      hint={`Up to ${left} more: ${formatNames}, at most 20 MiB each.`}
      multiple
    />
    <p class="problem" role="alert" hidden></p>
    <button class="plain">Add</button>
  </Form>
)

/** Applies the form to the garment's pictures. Pictures that somebody else has added meanwhile stay at the end. */
export const readPictures = (values: FormValues) => (current: readonly Picture[]) =>
  current
    .map((image, index) => {
      const { id } = image
      const place = Number(values[`place.${id}`]) || index + 1
      const kind = pictureKinds.find((each) => each === values[`kind.${id}`])
      return {
        image: { ...image, kind: values[`kind.${id}`] === undefined ? image.kind : (kind ?? null) },
        // A picture moved forward goes before the picture at its new place. A picture moved back goes after it.
        place: place + Math.sign(place - index - 1) / 2,
        isKept: values[`remove.${id}`] === undefined,
      }
    })
    .filter(({ isKept }) => isKept)
    .toSorted((a, b) => a.place - b.place)
    .map(({ image }) => image)

export const picturePages = new Hono<DashboardEnv>()

picturePages.post('/dashboard/garment/pictures', formBody, forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  await limitWrites(c.env, tenantId)
  const read = readPictures(await readForm(c))
  const change = (current: Parameters<typeof read>[0]) => {
    const images = read(current)
    if (images.length === 0) throw invalidBody(['images: must keep at least one picture; else delete the garment'])
    return images
  }
  const nowMs = Date.now()
  const by = c.get('viewer').actor
  await changePictures(pictureChangeDeps({ env: c.env, db: c.get('db') }, nowMs), tenantId, { uuid, change, by }, nowMs)
  return c.redirect(garmentPath(uuid, { ...listValues(c.req.query()), done: 'pictures' }), 303)
})

picturePages.post('/dashboard/garment/pictures/add', forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  const result = await submit(c, async () => {
    await limitWrites(c.env, tenantId)
    const { file } = await readFileForm(c, maxImageBytes, maxPictures)
    if (file.size === 0) throw emptyFile()
    const { origin } = new URL(c.req.url)
    const by = c.get('viewer').actor
    await acceptImage(
      { env: c.env, db: c.get('db') },
      tenantId,
      { uuid, added: file, kind: null, origin, by },
      Date.now(),
    )
  })
  if (result.ok) return c.redirect(garmentPath(uuid, { ...listValues(c.req.query()), done: 'pictures' }), 303)
  if (c.req.header('accept') === 'application/json')
    return c.json({ problems: result.failure.problems }, result.failure.status)
  await drain(c.req.raw, maxImageBytes + maxBodyBytes)
  throw result.failure
})
