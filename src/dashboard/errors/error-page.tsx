import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { asApiError } from '../../http/errors.ts'
import { log } from '../../log.ts'
import { foreignForm } from './page-errors.ts'
import { render } from '../parts/render.tsx'
import { Heading } from '../parts/text.tsx'
import type { DashboardEnv } from '../viewer.ts'

/** Shows any failure as a page that says what to do. */
export async function respondWithErrorPage(error: unknown, c: Context<DashboardEnv>): Promise<Response> {
  const isForeign = error instanceof HTTPException && error.status === 403
  const failure = isForeign ? foreignForm() : asApiError(error)
  if (failure.status >= 500) log('error', 'page failed', { request_id: c.get('requestId'), error })
  for (const [name, value] of Object.entries(failure.headers)) c.header(name, value)
  return await render(
    c,
    { title: failure.message, status: failure.status },
    <div class="narrow">
      <Heading title={failure.message} />
      {failure.problems.map((problem) => (
        <p>{problem}</p>
      ))}
      {failure.status >= 500 && (
        <p class="hint">
          If this happens again, send us the request id: <code>{c.get('requestId')}</code>
        </p>
      )}
      <p>
        <a href="/dashboard">Back to the overview</a>
      </p>
    </div>,
  )
}
