/* Request forms. Credentials are kept in this tab only, until it is closed. */
import { element } from './element.js'
import { fillExamples, ownValue } from './own-values.js'

for (const form of document.querySelectorAll('.try')) form.hidden = false

for (const field of document.querySelectorAll('[data-credential]')) {
  const name = `docs-${field.dataset.credential}`
  field.value = ownValue(field.dataset.credential)
  field.addEventListener('input', () => {
    sessionStorage.setItem(name, field.value)
    for (const other of document.querySelectorAll(`[data-credential="${field.dataset.credential}"]`))
      other.value = field.value
    fillExamples()
  })
}

const credentialHeaders = {
  'api-key': (value) => ['API-KEY', value],
  domain: (value) => ['DOMAIN', value],
  'access-token': (value) => ['Authorization', `Bearer ${value}`],
  'operator-token': (value) => ['Authorization', `Bearer ${value}`],
}

const noted = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after', 'link', 'x-request-id']

document.addEventListener('submit', (event) => {
  event.preventDefault()
  void send(event.target)
})

async function send(form) {
  const answer = form.querySelector('.answer')
  // Credentials must not be sent unencrypted.
  if (!isSecureContext)
    return answer.replaceChildren(element('p', 'Open this page by https to send requests.', 'problem'))
  const startedAt = performance.now()
  try {
    const response = await fetch(...toRequest(form))
    const text = await response.text()
    const headers = noted.flatMap((name) =>
      response.headers.has(name) ? [`${name}: ${response.headers.get(name)}`] : [],
    )
    const status = `${response.status} in ${Math.round(performance.now() - startedAt)} ms`
    answer.replaceChildren(
      element('p', status, response.ok ? 'good' : 'problem'),
      block(headers.join('\n')),
      block(format(text)),
    )
  } catch (error) {
    answer.replaceChildren(element('p', `The request could not be sent: ${error.message}`, 'problem'))
  }
}

function toRequest(form) {
  const { method } = form.dataset
  const headers = {}
  let { path } = form.dataset
  const query = new URLSearchParams()
  for (const { dataset, value } of form.querySelectorAll('input')) {
    if (value === '') continue
    if (dataset.credential !== undefined) {
      const [name, content] = credentialHeaders[dataset.credential](value)
      headers[name] = content
    } else if (dataset.path !== undefined) path = path.replace(`{${dataset.path}}`, encodeURIComponent(value))
    else if (dataset.query !== undefined) query.set(dataset.query, value)
  }
  const body = form.querySelector('textarea')?.value
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const url = query.size === 0 ? path : `${path}?${query}`
  return [url, { method, headers, credentials: 'omit', ...(body === undefined ? {} : { body }) }]
}

function block(text) {
  const pre = element('pre', text)
  pre.tabIndex = 0
  return pre
}

function format(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
