import type { ContentfulStatusCode } from 'hono/utils/http-status'

interface ErrorCodeMeaning {
  readonly status: ContentfulStatusCode
  /** For the developer of a client. */
  readonly advice: string
}

/**
 * Every `code` of a failure. The list is closed: programs compare codes, so none is ever renamed or given another
 * status.
 */
export const errorCodes = {
  malformed_body: { status: 400, advice: 'Send a body that is well-formed.' },
  invalid_body: { status: 400, advice: 'Fix each field that `error` names.' },
  invalid_query: { status: 400, advice: 'Fix each parameter that `error` names.' },
  email_taken: { status: 400, advice: 'Sign in, or use another email.' },
  wrong_password: { status: 400, advice: 'Give the current password.' },
  domain_taken: { status: 400, advice: 'Choose another domain.' },
  unusable_file: { status: 400, advice: 'Fix the line that `error` names.' },
  unauthorized: { status: 401, advice: 'Check the credentials: `API-KEY` and `DOMAIN` of the same tenant.' },
  invalid_token: { status: 401, advice: 'Sign in again.' },
  invalid_credentials: { status: 401, advice: 'Check email and password.' },
  forbidden: { status: 403, advice: 'Submit the form from its own page.' },
  sign_up_not_allowed: { status: 403, advice: 'Ask the operator of the service for a code.' },
  role_not_allowed: { status: 403, advice: 'Ask an owner of the account.' },
  not_found: { status: 404, advice: 'Check the path.' },
  member_not_found: { status: 404, advice: 'Check the email.' },
  link_not_valid: { status: 404, advice: 'Ask for a new link.' },
  tenant_not_found: { status: 404, advice: 'Create the tenant first.' },
  api_key_not_found: { status: 404, advice: 'Check the id; the key may have been revoked.' },
  garment_not_found: { status: 404, advice: 'Check the uuid; results are removed after the retention time.' },
  delivery_not_found: {
    status: 404,
    advice: 'Check the uuid, and whether the webhook was enabled when tagging ended.',
  },
  endpoint_not_found: { status: 404, advice: 'Check the id; the endpoint may have been deleted.' },
  import_not_found: { status: 404, advice: 'Check the id; imports are removed after the retention time.' },
  studio_not_found: { status: 404, advice: 'Check the name.' },
  method_not_allowed: { status: 405, advice: 'Use a method that `Allow` names.' },
  uuid_conflict: { status: 409, advice: 'Use another uuid: this one has other content.' },
  garment_not_complete: { status: 409, advice: 'Wait until the garment is complete.' },
  garment_changed: { status: 409, advice: 'Read the garment again, then repeat the correction.' },
  merchant_has_tenant: { status: 409, advice: 'Delete the tenant first.' },
  tenant_exists: { status: 409, advice: 'Use the tenant that exists, or delete it first.' },
  tenant_active: { status: 409, advice: 'Wait until its work has ended.' },
  last_owner: { status: 409, advice: 'Make somebody else an owner first.' },
  too_many_members: { status: 409, advice: 'Remove a member or an invitation first.' },
  too_many_api_keys: { status: 409, advice: 'Revoke a key first.' },
  too_many_studios: { status: 409, advice: 'Remove a studio first.' },
  too_many_endpoints: { status: 409, advice: 'Delete an endpoint first.' },
  webhook_not_configured: { status: 409, advice: 'Configure a URL first.' },
  webhook_unreadable: { status: 409, advice: 'Put the configuration again.' },
  webhook_off: { status: 409, advice: 'Enable the webhook first.' },
  attempt_under_way: { status: 409, advice: 'Wait for the outcome of the attempt.' },
  redelivery_under_way: { status: 409, advice: 'Wait until the earlier redelivery has ended.' },
  length_required: { status: 411, advice: 'Send `Content-Length`.' },
  precondition_failed: { status: 412, advice: 'Read the garment again, and send its new `ETag`.' },
  body_too_large: { status: 413, advice: 'Send less.' },
  storage_quota_exceeded: { status: 413, advice: 'Send less, or free space as `error` says.' },
  unsupported_media_type: { status: 415, advice: 'Send the type that `error` names.' },
  rate_limited: { status: 429, advice: 'Wait as many seconds as `Retry-After` says.' },
  too_many_attempts: { status: 429, advice: 'Wait as many seconds as `Retry-After` says.' },
  too_many_waiting: { status: 429, advice: 'Wait until some garments have been tagged.' },
  quota_exceeded: { status: 429, advice: 'Do what `error` says, or ask the operator for more.' },
  too_many_imports: { status: 429, advice: 'Wait until an import has ended.' },
  too_many_files: { status: 429, advice: 'Begin another import.' },
  internal_error: { status: 500, advice: 'Try again later; tell the operator the `X-Request-Id`.' },
  not_healthy: { status: 503, advice: 'For monitors of `/health`: see the runbook.' },
  overloaded: { status: 503, advice: 'Wait as many seconds as `Retry-After` says, then try again.' },
  no_room: { status: 507, advice: 'Nothing was stored. Free space as `error` says, or tell the operator.' },
} as const satisfies Readonly<Record<string, ErrorCodeMeaning>>

export type ErrorCode = keyof typeof errorCodes
