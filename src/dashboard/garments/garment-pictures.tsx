import { formatNames } from '../../vision/image/formats.ts'
import { pictureKinds } from '../../vision/scene.ts'
import type { GarmentResult } from '../../garments/garment-fields.ts'
import type { GarmentRow } from '../../garments/garment.ts'
import {
  hasCopy,
  maxPictures,
  measuredPicture,
  parsePictures,
  type Picture,
  rotations,
} from '../../garments/pictures/garment-picture.ts'
import { publishedUrl, smallPath } from '../../garments/pictures/answer-pictures.ts'
import { copyPath } from '../../garments/pictures/stored-copy.ts'
import { changePictures, splitGarment, switchCutout } from '../../garments/pictures/change-pictures.ts'
import type { ExportDefaults } from '../../exports/shops/export-defaults.ts'
import { withRatio } from '../../exports/shops/product.ts'
import { newId } from '../../platform/db/database.ts'
import { Allowed } from '../parts/actions.tsx'
import { type FormValues, drain, formBody, readFileForm, readForm, submit } from '../form.ts'
import { Section } from '../parts/elements.tsx'
import { Field, FileField, Form } from '../parts/form-fields.tsx'
import { withQuery } from '../parts/list-parts.tsx'
import { type ListValues, listValues } from './garment-filter.tsx'
import { Hono } from 'hono'
import { acceptImage, pictureChangeDeps } from '../../garments/accept-upload.ts'
import { invalidBody, maxBodyBytes } from '../../platform/http/errors.ts'
import { maxImageBytes } from '../../platform/outbound/fetch-image.ts'
import { emptyFile } from '../page-errors.ts'
import { limitWrites } from '../limit-writes.ts'
import { cutoutSwitchPath, garmentPath, mergePath, pictureAdditionPath, splitPath } from '../paths.ts'
import { type DashboardEnv, forTenant } from '../viewer.ts'

interface PicturesProps {
  readonly garment: GarmentRow
  readonly images: GarmentResult['images']
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

export const Pictures = ({ garment, images, list, hasStudio }: PicturesProps) => (
  <>
    {images.length < maxPictures && (
      <Section id="pictures" title="More pictures">
        <AddPictures {...{ garment, list, hasStudio }} left={maxPictures - images.length} />
      </Section>
    )}
    {garment.endedAt !== null && (
      <Section id="move-pictures" title="Split or merge">
        {images.length > 1 && <Split garment={garment} />}
        <Form action={mergePath} method="get" fields={{ uuid: garment.uuid }}>
          <Field name="with" label="Number of the same garment" hint="Such as G-12. You then choose which one stays." />
          <button class="plain">Merge</button>
        </Form>
      </Section>
    )}
  </>
)

const Split = ({ garment }: Pick<PicturesProps, 'garment'>) => (
  <Form action={withQuery(splitPath, { uuid: garment.uuid })}>
    <p>Pictures of another garment become a garment of their own, a draft with the next number.</p>
    <ul class="strip">
      {parsePictures(garment).map((picture, place) => (
        <li>
          <label class="check">
            <input type="checkbox" name={`picture.${picture.id}`} value="yes" />
            <SmallPicture garment={garment} picture={picture} alt={`Picture ${place + 1}`} />
          </label>
        </li>
      ))}
    </ul>
    <button class="plain">Make a new garment of the selected pictures</button>
  </Form>
)

/** Shows a picture's thumbnail, or else its name. */
export function SmallPicture({
  garment,
  picture,
  alt,
}: Pick<PicturesProps, 'garment'> & { picture: Picture; alt: string }) {
  const path = smallPath(garment.tenantId, picture)
  return path === null ? <span>{alt}</span> : <img src={path} alt={alt} width={72} height={72} loading="lazy" />
}

const kindName = (kind: Picture['kind']): string => (kind === null ? 'Picture' : kindNames[kind])

interface StripProps extends Pick<PicturesProps, 'garment' | 'images' | 'list'> {
  readonly ratio: ExportDefaults['cutout_ratio']
}

export function PictureStrip({ garment, images, list, ratio }: StripProps) {
  const pictures = parsePictures(garment)
  const measured = measuredPicture(pictures)
  return (
    <ul class="strip" id="picture-strip" aria-label="Pictures">
      {pictures.map((picture, place) => {
        const image = images[place]
        const isMeasured = picture.id === measured?.id
        const isLast = place === pictures.length - 1
        return image && <PictureInStrip {...{ garment, list, ratio, picture, place, image, isMeasured, isLast }} />
      })}
    </ul>
  )
}

interface PictureInStripProps extends Omit<StripProps, 'images'> {
  readonly image: PicturesProps['images'][number]
  readonly picture: Picture
  readonly place: number
  readonly isMeasured: boolean
  readonly isLast: boolean
}

function PictureInStrip({ garment, list, ratio, picture, image, place, isMeasured, isLast }: PictureInStripProps) {
  const { kind, cutout_img: cutout } = image
  const name = `Picture ${place + 1}`
  const shown = hasCopy(picture) ? copyPath(garment.tenantId, picture.copyId) : undefined
  const full = publishedUrl('', garment.tenantId, picture)
  const photograph = shown ?? (picture.file === null ? undefined : full)
  return (
    <li data-place={place + 1}>
      <a
        id={`picture-${picture.id}`}
        href={full}
        target="_blank"
        rel="noopener noreferrer"
        data-picture={shown}
        data-is-measured={isMeasured ? '' : undefined}
      >
        <SmallPicture garment={garment} picture={picture} alt={`${name}: ${kindName(kind)}`} />
      </a>
      <details class="chip" name="picture-menu" id={`menu-${picture.id}`}>
        <summary>
          {kindName(kind)}
          <span class="visually-hidden"> {place + 1}</span>
        </summary>
        <div class="options">
          <a href={full} target="_blank" rel="noopener noreferrer">
            Full size
          </a>
          {photograph !== undefined && (
            <a href={photograph} download={`${garment.uuid}-${place + 1}-photograph.jpg`}>
              Photograph (JPEG)
            </a>
          )}
          {cutout !== '' && (
            <>
              <a href={withRatio(cutout, ratio)} download={`${garment.uuid}-${place + 1}.jpg`}>
                Cut-out on white (JPEG)
              </a>
              <a href={`${cutout}?background=none&ratio=${ratio}`} download={`${garment.uuid}-${place + 1}.png`}>
                Cut-out without background (PNG)
              </a>
            </>
          )}
          <Allowed to="POST /dashboard/garment/pictures">
            <form method="post" action={withQuery('/dashboard/garment/pictures', { uuid: garment.uuid, ...list })}>
              <PictureButtons {...{ picture, place, isLast }} />
              <label>
                Shows{' '}
                <select name={`kind.${picture.id}`}>
                  <option value="">
                    {picture.kind === null ? `${kindName(image.kind)} (predicted)` : 'To be predicted'}
                  </option>
                  {pictureKinds.map((each) => (
                    <option value={each} selected={each === picture.kind}>
                      {kindNames[each]}
                    </option>
                  ))}
                </select>
              </label>
              <button class="plain" data-without-scripts="">
                Change
              </button>
            </form>
            {picture.role !== null && <CutoutSwitch {...{ garment, list, picture }} />}
          </Allowed>
        </div>
      </details>
    </li>
  )
}

type ButtonsProps = Pick<PictureInStripProps, 'picture' | 'place' | 'isLast'>

const PictureButtons = ({ picture: { id, rotation }, place, isLast }: ButtonsProps) => (
  <>
    <button class="quiet" name={`rotation.${id}`} value={String(((rotation ?? 0) + 270) % 360)}>
      Rotate left
    </button>
    <button class="quiet" name={`rotation.${id}`} value={String(((rotation ?? 0) + 90) % 360)}>
      Rotate right
    </button>
    {place > 0 && (
      <button class="quiet" name={`place.${id}`} value={String(place)}>
        Earlier
      </button>
    )}
    {!isLast && (
      <button class="quiet" name={`place.${id}`} value={String(place + 2)}>
        Later
      </button>
    )}
    <button class="quiet" name={`remove.${id}`} value="yes">
      Remove
    </button>
  </>
)

const CutoutSwitch = ({ garment, list, picture }: Pick<PictureInStripProps, 'garment' | 'list' | 'picture'>) => {
  if (picture.role === 'listed') return <p class="hint">Labels, details and flaws stay photographs.</p>
  if (!picture.hasCutout)
    return <p class="hint">Shown as a photograph: it is worn or only partly visible, or its outline is uncertain.</p>
  return (
    <form method="post" action={withQuery(cutoutSwitchPath, { uuid: garment.uuid, ...list })}>
      <input type="hidden" name="picture" value={picture.id} />
      <button class="quiet" name="cutout" value={picture.cutoutOff ? 'on' : 'off'}>
        {picture.cutoutOff ? 'Use the cut-out' : 'Use the photograph'}
      </button>
    </form>
  )
}

/** Files come last in the form, so that they can be streamed. */
const AddPictures = ({ garment, list, hasStudio, left }: Omit<PicturesProps, 'images'> & { left: number }) => (
  <Form
    action={withQuery(pictureAdditionPath, { uuid: garment.uuid, ...list })}
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
        image: {
          ...image,
          kind: values[`kind.${id}`] === undefined ? image.kind : (kind ?? null),
          rotation: rotations.find((each) => String(each) === values[`rotation.${id}`]) ?? image.rotation,
        },
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

picturePages.post(cutoutSwitchPath, formBody, forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  await limitWrites(c.env, tenantId)
  const { picture: id = '', cutout } = await readForm(c)
  await switchCutout(c.get('db'), tenantId, { uuid, id, isOff: cutout === 'off' })
  return c.redirect(garmentPath(uuid, listValues(c.req.query())), 303)
})

picturePages.post(splitPath, formBody, forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  const { uuid = '' } = c.req.query()
  c.set('uuid', uuid)
  await limitWrites(c.env, tenantId)
  const values = await readForm(c)
  const ids = Object.keys(values).flatMap((name) => (name.startsWith('picture.') ? [name.slice(8)] : []))
  if (ids.length === 0) throw invalidBody(['Select at least one picture.'])
  const nowMs = Date.now()
  const split = { uuid, newUuid: newId(), ids, origin: new URL(c.req.url).origin, by: c.get('viewer').actor }
  const created = await splitGarment(pictureChangeDeps({ env: c.env, db: c.get('db') }, nowMs), tenantId, split, nowMs)
  return c.redirect(garmentPath(created.uuid, { done: 'split' }), 303)
})

picturePages.post(pictureAdditionPath, forTenant, async (c) => {
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
  const isScript = c.req.header('accept') === 'application/json'
  if (result.ok && isScript) return c.json({ uuid })
  if (result.ok) return c.redirect(garmentPath(uuid, { ...listValues(c.req.query()), done: 'pictures' }), 303)
  if (isScript) return c.json({ problems: result.failure.problems }, result.failure.status)
  await drain(c.req.raw, maxImageBytes + maxBodyBytes)
  throw result.failure
})
