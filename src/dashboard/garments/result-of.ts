import type { Context } from 'hono'
import { toGarmentResponse, type GarmentRow } from '../../garment/to-garment-response.ts'
import { settingsOf } from '../../settings.ts'
import type { DashboardEnv } from '../viewer.ts'

/** A garment as the API returns it. */
export const resultOf = (c: Context<DashboardEnv>, garment: GarmentRow) =>
  toGarmentResponse(garment, settingsOf(c.env).PUBLIC_URL)
