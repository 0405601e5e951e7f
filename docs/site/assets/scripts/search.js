/* The search of the documentation, also by keyboard. */
import { element } from './element.js'

const finder = document.querySelector('.finder')
const input = document.getElementById('search')
const results = document.getElementById('results')
const maxResults = 8

finder.hidden = false

let index

/* Loaded when the search is first used. */
async function loadIndex() {
  const [{ default: MiniSearch }, entries] = await Promise.all([
    import('/docs/minisearch.js'),
    fetch('/docs/search.json').then((response) => response.json()),
  ])
  const search = new MiniSearch({
    fields: ['heading', 'page', 'keywords', 'text'],
    storeFields: ['page', 'heading', 'text', 'weight'],
    searchOptions: {
      boost: { heading: 4, page: 2, keywords: 3 },
      boostDocument: (id, term, { weight }) => weight,
      prefix: true,
      fuzzy: 0.1,
      combineWith: 'AND',
    },
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
