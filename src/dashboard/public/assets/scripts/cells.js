/* Optional: saves the price, size or stage in a list as soon as it is changed. Arrow keys move between rows. */
import { announce, toast } from './page-parts.js'

async function save(cell) {
  const { name, value } = cell
  const body = new URLSearchParams({ [name]: value })
  const headers = { Accept: 'application/json' }
  const response = await fetch(cell.dataset.action, { method: 'POST', headers, body }).catch(() => null)
  const isSaved = response?.status === 204
  cell.classList.toggle('failed', !isSaved)
  cell.setAttribute('aria-invalid', String(!isSaved))
  if (isSaved) return toast(`Saved: ${cell.getAttribute('aria-label')}`)
  const { problems = [] } = (await response?.json().catch(() => ({}))) ?? {}
  const problem = problems[0]?.replace(/^[^:]+: /, '') ?? 'The service could not be reached'
  toast(`Not saved: ${problem}`)
}

document.addEventListener('change', ({ target }) => {
  if (target.matches('[data-cell]')) void save(target)
})

document.addEventListener('keydown', (event) => {
  const cell = event.target.closest?.('[data-cell]')
  const step = { ArrowDown: 1, ArrowUp: -1, Enter: 1 }[event.key]
  // In a select, arrow keys choose a value.
  if (!cell || step === undefined || (cell.matches('select') && event.key !== 'Enter')) return
  const column = [...document.querySelectorAll(`[data-cell="${cell.dataset.cell}"]`)]
  const next = column[column.indexOf(cell) + step]
  event.preventDefault()
  if (next === undefined) return announce('No more rows')
  next.focus()
  next.select?.()
})
