import type { z } from '@hono/zod-openapi'
import { toIso } from '../time.ts'
import { deliveryError } from './delivery-error.ts'
import type { DeliveryRow } from './delivery/conditions.ts'
import type { AttemptRow } from './delivery/list-attempts.ts'
import type { attemptsSchema, deliverySchema, deliveryStatusSchema, testResultSchema } from './fields.ts'
import type { Answer } from './request/call-receiver.ts'

export const toDeliveryResponse = (row: DeliveryRow): z.infer<typeof deliverySchema> => ({
  uuid: row.id,
  garment_uuid: row.garmentUuid,
  status: row.status,
  attempt_count: row.attemptCount,
  last_attempt_at: row.lastAttemptAt === null ? '' : toIso(row.lastAttemptAt),
  next_attempt_at: row.nextAttemptAt === null ? null : toIso(row.nextAttemptAt),
  last_error: deliveryError(row.lastError),
  response_status: row.responseStatus,
  created_at: toIso(row.createdAt),
  updated_at: toIso(row.updatedAt),
})

/** The delivery of a garment to one endpoint, and those to the endpoints after the first. */
export const toDeliveryStatusResponse = (
  row: DeliveryRow,
  further: readonly DeliveryRow[],
): z.infer<typeof deliveryStatusSchema> => ({
  ...toDeliveryResponse(row),
  endpoints: further.map((each) => ({ ...toDeliveryResponse(each), endpoint: each.endpoint })),
})

export const toAttemptResponse = (row: AttemptRow): z.infer<typeof attemptsSchema>['attempts'][number] => ({
  at: toIso(row.at),
  duration_ms: row.durationMs,
  response_status: row.responseStatus,
  error: deliveryError(row.error),
  response_body: row.responseBody,
  trigger: row.trigger,
})

export const toTestResponse = (answer: Answer): z.infer<typeof testResultSchema> => ({
  status: answer.ok ? 'delivered' : 'failed',
  response_status: answer.status,
  duration_ms: answer.durationMs,
  error: deliveryError(answer.error),
  response_body: answer.body,
})
