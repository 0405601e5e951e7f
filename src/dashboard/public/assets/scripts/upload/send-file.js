import { sleep } from '../page-parts.js'

const retryPausesMs = [1000, 2000, 4000, 8000, 15_000]

/** A request without progress for this long has stalled. Some networks drop a connection without an error. */
const stallMs = 30_000

/**
 * Sends the form of one garment, and sends it again after a temporary failure. While there is no connection, it never
 * gives up. Returns the answer with the garment's `uuid` and its `line` in the import, or null if it was not stored.
 */
export async function sendFile(url, body, row, uploadedText) {
  for (let tries = 0; ; tries++) {
    // Each try waits longer, because a slow connection may need the time.
    const { status, text, retryAfter, isStalled } = await request(url, body, row, stallMs * (tries + 1))
    const pauseMs = retryPausesMs[status === 0 ? Math.min(tries, retryPausesMs.length - 1) : tries]
    if (status === 200) {
      const answer = parse(text)
      if (answer === null) return refuse(row, 'Your session has ended. Sign in again, then upload the rest.')
      row.showUploaded(answer.uuid, uploadedText)
      return answer
    }
    const isTemporary = status === 0 || status === 429 || status >= 500
    if (!isTemporary || pauseMs === undefined) return refuse(row, problemOf(text))
    row.showState(isStalled ? 'The upload stalled. Sending it again' : tryAgainText(status))
    await sleep(Math.max(pauseMs, retryAfter * 1000))
  }
}

const tryAgainText = (status) => (status === 0 ? 'No connection. Trying again' : 'Trying again')

export function refuse(row, problem) {
  row.showProblem(problem)
  return null
}

/** Parses JSON. Returns null for HTML, such as the sign-in page. */
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
    .join(' ') ?? 'The service could not be reached. Try again in a moment.'

export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith('.') ? '' : '.')

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. Aborts after `limitMs` without progress. */
function request(url, body, row, limitMs) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    let isStalled = false
    let timer
    const expectProgress = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        isStalled = true
        request.abort()
      }, limitMs)
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      row.showProgress(loaded / total)
      expectProgress()
    })
    request.addEventListener('loadend', () => {
      clearTimeout(timer)
      const retryAfter = Number(request.getResponseHeader('Retry-After') ?? 0)
      resolve({ status: request.status, text: request.responseText, retryAfter, isStalled })
    })
    request.open('POST', url)
    request.setRequestHeader('Accept', 'application/json')
    request.send(body)
    expectProgress()
  })
}
