import { z } from 'zod'
import { sql, type SQL } from 'drizzle-orm'
import { pictures } from '../../platform/db/schema.ts'
import { pictureKinds } from '../../vision/scene.ts'

export const maxPictures = 8

export const rotations = [0, 90, 180, 270] as const

const givenSchema = z.object({
  url: z.string().nullable(),
  file: z.object({ id: z.string(), digest: z.string(), name: z.string() }).nullable(),
  /** What the picture shows according to the client. Null if the client did not say. */
  kind: z.enum(pictureKinds).nullable(),
})

const pictureSchema = givenSchema.extend({
  /** Random, and unique within the tenant. */
  id: z.string(),
  predictedKind: z.enum(pictureKinds).nullable(),
  /** Degrees clockwise, after EXIF. Null until a person or tagging chose it. */
  rotation: z.literal(rotations).nullable(),
  /** Unguessable public name of the stored copy. Each new result gets new names. */
  copyId: z.string(),
  /**
   * What tagging used the picture for. Null if the picture was not read, or failed.
   * - `listed`: nothing, because it shows a label, a detail or a flaw
   * - `tagged`: attributes
   * - `measured`: attributes and measurements
   */
  role: z.enum(['listed', 'tagged', 'measured']).nullable(),
  hasCutout: z.literal([0, 1]).transform(Boolean),
  /** True if a person prefers the photograph to the cut-out. */
  cutoutOff: z.literal([0, 1]).transform(Boolean),
  /** The result of `storeFailure`. Null if the picture did not fail. */
  failure: z.string().nullable(),
  /** Pixels of the upright picture. Null until it was read. */
  width: z.int().nullable(),
  height: z.int().nullable(),
})

export type GivenPicture = Readonly<z.infer<typeof givenSchema>>

export type Picture = Readonly<z.infer<typeof pictureSchema>>

export type PictureResult = Pick<
  Picture,
  'id' | 'rotation' | 'predictedKind' | 'role' | 'hasCutout' | 'failure' | 'width' | 'height'
>

export const pictureAt = (url: string, kind: GivenPicture['kind'] = null): GivenPicture => ({ url, file: null, kind })

/** Returns what identifies an image: the file's digest or the URL. File names do not matter. */
export const contentOf = ({ url, file }: GivenPicture): string => file?.digest ?? url ?? ''

/** Compares the images, kinds and order of two lists of pictures. */
export const haveSameContent = (some: readonly GivenPicture[], others: readonly GivenPicture[]) =>
  some.length === others.length &&
  some.every((picture, i) => {
    const other = others[i]
    return other !== undefined && contentOf(picture) === contentOf(other) && picture.kind === other.kind
  })

/** Returns the URL of an image, or the name of an uploaded file. */
export const nameOf = ({ url, file }: GivenPicture): string => file?.name ?? url ?? ''

export const formatGiven = (given: readonly GivenPicture[]): string =>
  JSON.stringify(given.map(({ url, file, kind }) => ({ url, file, kind })))

export const parseGiven = (stored: string): readonly GivenPicture[] => z.array(givenSchema).parse(JSON.parse(stored))

/** Parses the result of `selectPictures`. */
export const parsePictures = ({ pictures: selected }: { readonly pictures: string }): readonly Picture[] =>
  z
    .array(pictureSchema.extend({ position: z.int() }))
    .parse(JSON.parse(selected))
    .sort((a, b) => a.position - b.position)
    .map((stored) => {
      const { position: _, ...picture } = stored
      return picture
    })

/** Selects a garment's pictures as JSON, unsorted, because sorting in SQL counts as one more row read. */
export const selectPictures = (table: 'garments' | 'binned_garments' | 'old') => {
  const garment = sql.raw(table)
  return sql<string>`(
    SELECT json_group_array(json_object(
      'id', id, 'position', position, 'url', url, 'kind', kind, 'predictedKind', predicted_kind, 'rotation', rotation, 'copyId', copy_id,
      'file', json(iif(file_id IS NULL, NULL, json_object('id', file_id, 'digest', file_digest, 'name', file_name))),
      'role', role, 'hasCutout', has_cutout, 'cutoutOff', cutout_off, 'failure', failure, 'width', width, 'height', height))
    FROM ${pictures} AS picture WHERE picture.tenant_id = ${garment}.tenant_id AND picture.garment_uuid = ${garment}.uuid)`
}

/** `given` selects `tenant_id`, `uuid` and `pictures`, a JSON list of pictures. Only stored pictures have an `id`. */
export const insertPictures = (given: SQL) => sql`
  INSERT INTO ${pictures}
    (tenant_id, id, garment_uuid, position, kind, rotation, cutout_off, url, file_id, file_digest, file_name, copy_id)
  SELECT given.tenant_id, coalesce(picture.value ->> 'id', lower(hex(randomblob(8)))), given.uuid, picture.key,
    picture.value ->> 'kind', picture.value ->> 'rotation',
    coalesce(picture.value ->> 'cutoutOff', 0), picture.value ->> 'url',
    picture.value ->> '$.file.id', picture.value ->> '$.file.digest', picture.value ->> '$.file.name',
    lower(hex(randomblob(16)))
  FROM (${given}) AS given CROSS JOIN json_each(given.pictures) AS picture`

/** Deletes the pictures of the garments that `garments` selects by `tenant_id` and `uuid`. */
export const deletePictures = (garments: SQL) =>
  sql`DELETE FROM ${pictures} WHERE (tenant_id, garment_uuid) IN (${garments})`

export const fileIdsOf = (given: readonly Pick<GivenPicture, 'file'>[]): string[] =>
  given.flatMap(({ file }) => file?.id ?? [])

/** Pictures that are only listed, such as labels, have no stored copy. */
export const hasCopy = ({ role }: Pick<Picture, 'role'>): boolean => role === 'tagged' || role === 'measured'

/** Returns the first tagged picture, which represents the garment in lists. */
export const shownPicture = (all: readonly Picture[]): Picture | undefined => all.find(hasCopy)

/** Returns the picture that was measured, or the first picture if there is no result. */
export const measuredPicture = (all: readonly Picture[]): Picture | undefined =>
  all.find(({ role }) => role === 'measured') ?? all[0]
