import { sleep } from '../page-parts.js'

const retryPausesMs = [1000, 2000, 4000, 8000, 15_000]

/**
 * Sends the form of one garment, without a connection until there is one again. Returns the number of its line in the
 * import, or null if it was not stored.
 */
export async function sendFile(url, body, row) {
  for (let tries = 0; ; tries++) {
    const { status, text, retryAfter } = await request(url, body, row)
    const pauseMs = retryPausesMs[status === 0 ? Math.min(tries, retryPausesMs.length - 1) : tries]
    if (status === 200) {
      const answer = parse(text)
      if (answer === null) return refuse(row, 'Your session has ended. Sign in again, then upload the rest.')
      row.showUploaded(answer.uuid)
      return answer.line
    }
    const passes = status === 0 || status === 429 || status >= 500
    if (!passes || pauseMs === undefined) return refuse(row, problemOf(text))
    row.showState(status === 0 ? 'No connection; trying again' : 'Trying again')
    await sleep(Math.max(pauseMs, retryAfter * 1000))
  }
}

export function refuse(row, problem) {
  row.showProblem(problem)
  return null
}

/** Null for a page, such as that of signing in. */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const problemOf = (text) =>
  parse(text)
    ?.problems?.map((problem) => sentence(problem.replace(/^\w+: /, '')))
    .join(' ') ?? 'The service could not be reached.'

export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith('.') ? '' : '.')

/** `fetch` reports no progress of what it sends. */
function request(url, body, row) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.upload.addEventListener('progress', ({ loaded, total }) => row.showProgress(loaded / total))
    request.addEventListener('loadend', () => {
      const retryAfter = Number(request.getResponseHeader('Retry-After') ?? 0)
      resolve({ status: request.status, text: request.responseText, retryAfter })
    })
    request.open('POST', url)
    request.setRequestHeader('Accept', 'application/json')
    request.send(body)
  })
}
