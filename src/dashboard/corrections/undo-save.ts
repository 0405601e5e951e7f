import type { Context } from 'hono'
import { z } from 'zod'
import { type GarmentRow, garmentVersion } from '../../garments/garment.ts'
import { parseJson } from '../../platform/parse-json.ts'
import type { FormValues } from '../form.ts'
import { type DashboardEnv, readCookie, storeCookie } from '../viewer.ts'

const cookieName = 'undo'
const lifetimeSeconds = 120

/** Browsers store cookies of up to 4,096 bytes. */
const maxLength = 3500

const undoSchema = z.object({ uuid: z.string(), version: z.string(), former: z.record(z.string(), z.string()) })

/** Keeps the former values of the fields that a save has changed, so that the next page can offer to restore them. */
export function keepFormer(c: Context<DashboardEnv>, saved: GarmentRow, before: FormValues, after: FormValues): void {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => (before[name] ?? '') !== (after[name] ?? ''))
  const former = Object.fromEntries(changed.map((name) => [name, before[name] ?? '']))
  const value = JSON.stringify({ uuid: saved.uuid, version: garmentVersion(saved), former })
  const isShort = changed.length > 0 && encodeURIComponent(value).length <= maxLength
  storeCookie(c, cookieName, isShort ? value : '', isShort ? lifetimeSeconds : 0)
}

/** Returns the fields of a form that undoes the last save, or null if the garment has changed since. */
export function undoFields(c: Context<DashboardEnv>, garment: GarmentRow): FormValues | null {
  const stored = undoSchema.safeParse(parseJson(readCookie(c, cookieName) ?? ''))
  if (!stored.success) return null
  const { uuid, version, former } = stored.data
  if (uuid !== garment.uuid || version !== garmentVersion(garment)) return null
  return { ...former, version, intent: 'undo' }
}
