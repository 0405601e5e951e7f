import { and, eq } from 'drizzle-orm'
import { openDatabase, type Database } from '../db/client.ts'
import { studios } from '../db/schema.ts'
import { settingsOf } from '../settings.ts'
import { attributeSchema } from '../garment/fields.ts'
import { pictureKey } from '../garment/result.ts'
import { log } from '../log.ts'
import { queueGraceMs } from '../queue/enqueue.ts'
import { done, type Outcome } from '../queue/settle.ts'
import { claimGarment, releaseGarment, type ClaimedGarment } from './claim-garment.ts'
import { endGarment, failed, unprocessable, type Ending } from './end-garment.ts'
import { PassingFault, PermanentFault } from '../vision/fault.ts'
import { PictureError } from '../vision/picture-error.ts'
import { fetchImage } from '../outbound/fetch-image.ts'
import type { TaggingMessage } from '../garment/tagging-message.ts'
import { tagPicture } from '../vision/tag-picture.ts'
import type { Attribute } from '../vision/tagging.ts'

/** What a run calls outside the database; tests pass their own. */
export type Outside = { readonly fetchImage: typeof fetchImage; readonly tagPicture: typeof tagPicture }

/**
 * One run on a garment: claim, fetch, tag, store the picture, end. Safe to run twice and at the same time twice.
 * A permanent fault ends the garment at once; any other is tried again after a pause, and ends it after the last try.
 */
export async function tagGarment(
  env: Env,
  message: TaggingMessage,
  outside: Outside = { fetchImage, tagPicture },
): Promise<Outcome> {
  const startedAt = Date.now()
  const db = openDatabase(env.DB)
  const garment = await claimGarment(db, message, startedAt)
  if (garment === null) return done
  const maxTries = settingsOf(env).TAGGING_RETRY_DELAYS.length + 1
  try {
    // Runs that died without a word, such as one that ran out of memory, count as tries too.
    const ending = garment.tries > maxTries ? unprocessable : await run(env, db, garment, outside)
    await endGarment(db, env.WEBHOOK_QUEUE, garment, ending, Date.now())
    log('info', 'garment tagged', { ...message, status: ending.status, duration_ms: Date.now() - startedAt })
    return done
  } catch (error) {
    return await tryAgain(env, db, garment, error)
  }
}

async function run(env: Env, db: Database, garment: ClaimedGarment, outside: Outside): Promise<Ending> {
  try {
    const attribute = attributeSchema.parse(JSON.parse(garment.attribute))
    const bytes = await outside.fetchImage(garment.imageUrl, { settings: settingsOf(env), ownOrigin: garment.origin })
    const cmPerPixel = await findScale(db, garment.tenantId, attribute)
    const { annotated, ...result } = await outside.tagPicture(bytes, { attribute, cmPerPixel })
    await env.PICTURES.put(pictureKey(garment.tenantId, garment.pictureId), annotated.bytes, {
      httpMetadata: { contentType: annotated.contentType },
    })
    return { status: 'complete', ...result }
  } catch (error) {
    if (error instanceof PictureError || error instanceof PermanentFault) return failed(error.message)
    throw error
  }
}

async function findScale(db: Database, tenantId: string, attribute: Attribute): Promise<number | undefined> {
  const studio = attribute['Studio']
  if (studio === undefined) return undefined
  const [row] = await db
    .select({ cmPerPixel: studios.cmPerPixel })
    .from(studios)
    .where(and(eq(studios.tenantId, tenantId), eq(studios.name, studio)))
  return row?.cmPerPixel
}

async function tryAgain(env: Env, db: Database, garment: ClaimedGarment, error: unknown): Promise<Outcome> {
  const now = Date.now()
  const delaySeconds = settingsOf(env).TAGGING_RETRY_DELAYS[garment.tries - 1]
  const { tenantId, uuid, tries } = garment
  log('warn', 'tagging failed', { tenant: tenantId, uuid, tries, error })
  if (delaySeconds === undefined) {
    const ending =
      error instanceof PassingFault ? failed(`${error.message} It was tried ${tries} times.`) : unprocessable
    await endGarment(db, env.WEBHOOK_QUEUE, garment, ending, now)
    return done
  }
  await releaseGarment(db, garment, now + delaySeconds * 1000 + queueGraceMs)
  return { retry: true, delaySeconds }
}
