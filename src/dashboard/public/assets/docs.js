/* Search, request forms and copy buttons of the documentation. Every page can be read without scripts. */

const finder = document.querySelector('.finder')
const input = document.getElementById('search')
const results = document.getElementById('results')
const maxResults = 8

finder.hidden = false
for (const form of document.querySelectorAll('.try')) form.hidden = false

/* On a narrow screen the menu starts closed. */
if (matchMedia('(max-width: 59.99rem)').matches) document.querySelector('.contents').open = false

let index

/* Loaded when the search is first used. */
async function loadIndex() {
  const [{ default: MiniSearch }, entries] = await Promise.all([
    import('/docs/minisearch.js'),
    fetch('/docs/search.json').then((response) => response.json()),
  ])
  const search = new MiniSearch({
    fields: ['heading', 'page', 'text'],
    storeFields: ['page', 'heading', 'text'],
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.1, combineWith: 'AND' },
  })
  search.addAll(entries)
  return search
}

const getIndex = () => (index ??= loadIndex())

input.addEventListener('focus', () => void getIndex(), { once: true })
input.addEventListener('input', () => void showResults())
input.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') return close()
  if (event.key === 'Enter') return (selected() ?? results.querySelector('a'))?.click()
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  select(event.key === 'ArrowDown' ? 1 : -1)
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea')) return
  event.preventDefault()
  input.focus()
})
document.addEventListener('click', (event) => {
  if (!finder.contains(event.target)) close()
})

async function showResults() {
  const query = input.value.trim()
  if (query === '') return close()
  const search = await getIndex()
  if (query !== input.value.trim()) return
  const found = search.search(query).slice(0, maxResults)
  results.replaceChildren(...(found.length === 0 ? [nothing()] : found.map((hit, i) => toOption(hit, i))))
  results.hidden = false
  input.setAttribute('aria-expanded', 'true')
  input.removeAttribute('aria-activedescendant')
}

const element = (name, text, className = '') =>
  Object.assign(document.createElement(name), { textContent: text, className })

function option(item, i) {
  item.setAttribute('role', 'option')
  item.setAttribute('aria-selected', 'false')
  item.id = `result-${i}`
  return item
}

const nothing = () => option(element('p', 'Nothing found'), 0)

function toOption({ id, page, heading, text, terms }, i) {
  const link = element('a', '')
  link.href = id
  link.tabIndex = -1
  link.append(element('strong', heading || page), element('span', heading ? page : '', 'page'), excerpt(text, terms))
  return option(link, i)
}

/* The text around the first term, which is marked. */
function excerpt(text, terms) {
  const line = element('span', '', 'excerpt')
  const at = Math.min(...terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0))
  if (!Number.isFinite(at)) return line
  const start = Math.max(0, at - 40)
  const term = terms.find((each) => text.toLowerCase().startsWith(each, at)) ?? ''
  line.append(
    (start > 0 ? '…' : '') + text.slice(start, at),
    element('mark', text.slice(at, at + term.length)),
    text.slice(at + term.length, at + 90),
  )
  return line
}

const selected = () => results.querySelector('a[aria-selected="true"]')

function select(step) {
  const options = [...results.querySelectorAll('a')]
  if (options.length === 0) return
  const current = options.findIndex((each) => each.getAttribute('aria-selected') === 'true')
  const next = options[(current + step + options.length) % options.length]
  for (const each of options) each.setAttribute('aria-selected', String(each === next))
  input.setAttribute('aria-activedescendant', next.id)
  next.scrollIntoView({ block: 'nearest' })
}

function close() {
  results.hidden = true
  input.setAttribute('aria-expanded', 'false')
}

/* Copy buttons */
for (const block of document.querySelectorAll('.code')) {
  const button = Object.assign(element('button', 'Copy', 'quiet'), { type: 'button' })
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 1500)
  })
  block.append(button)
}

/* Request forms. Credentials are kept in this tab only, until it is closed. */
for (const field of document.querySelectorAll('[data-credential]')) {
  const name = `docs-${field.dataset.credential}`
  field.value = sessionStorage.getItem(name) ?? ''
  field.addEventListener('input', () => {
    sessionStorage.setItem(name, field.value)
    for (const other of document.querySelectorAll(`[data-credential="${field.dataset.credential}"]`))
      other.value = field.value
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
  // Credentials must not travel in the clear.
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
