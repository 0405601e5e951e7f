/* Optional: saves a value in a list as soon as it is changed, and moves between cells by keyboard. */
import { announce, toast } from './page-parts.js'

/* Saves a cell, or several values of its garment. Offers to restore the former value. */
async function save(cell, values = { [cell.dataset.cell]: cell.value }) {
  const former = cell.dataset.saved ?? savedValue(cell)
  const body = new URLSearchParams(values)
  const headers = { Accept: 'application/json' }
  const response = await fetch(cell.dataset.action, { method: 'POST', headers, body }).catch(() => null)
  const isSaved = response?.status === 204
  cell.classList.toggle('failed', !isSaved)
  cell.setAttribute('aria-invalid', String(!isSaved))
  const name = cell.getAttribute('aria-label')
  if (isSaved) {
    cell.dataset.saved = cell.value
    return toast(`${name}: saved`, () => restore(cell, former, Object.keys(values)))
  }
  const { problems = [] } = (await response?.json().catch(() => ({}))) ?? {}
  const problem = problems[0]?.replace(/^[^:]+: /, '') ?? 'The service could not be reached'
  toast(`${name}: not saved. ${problem}`)
}

const savedValue = (cell) =>
  cell.defaultValue ?? [...cell.options].find(({ defaultSelected }) => defaultSelected)?.value ?? ''

/* Also removes the other values that were saved with the cell, such as those of a sale. */
function restore(cell, value, names) {
  cell.value = value
  cell.focus()
  void save(cell, { ...Object.fromEntries(names.map((name) => [name, ''])), [cell.dataset.cell]: value })
}

/* Asks for the price and channel of a sale, with the garment's price and today as defaults. */
function askForSale(cell, sold) {
  const price = cell.closest('tr').querySelector('[data-cell$="rice"]')
  const [amount, , day] = sold.querySelectorAll('input')
  amount.value = price?.value ?? ''
  day.value = new Date().toLocaleDateString('sv-SE')
  sold.querySelector('h2').textContent = cell.getAttribute('aria-label').replace('Stage of', 'Sold:')
  sold.returnValue = ''
  sold.onclose = () => {
    if (sold.returnValue === '') {
      cell.value = cell.dataset.saved ?? savedValue(cell)
      return cell.focus()
    }
    const form = new FormData(sold.querySelector('form'))
    void save(cell, { [cell.dataset.cell]: 'sold', ...Object.fromEntries(form) })
    cell.focus()
  }
  sold.showModal()
}

document.addEventListener('change', ({ target }) => {
  if (!target.matches('[data-cell]')) return
  const sold = document.getElementById('sold')
  if (target.value === 'sold' && sold !== null) askForSale(target, sold)
  else void save(target)
})

/* Steps by key: rows, and cells. A select uses up and down for its values, a text the sides for its caret. */
const steps = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  Enter: [1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  Tab: [0, 1],
}

const isAtEdge = (cell, step) =>
  cell.matches('select') ||
  (cell.selectionStart === cell.selectionEnd
    ? cell.selectionStart === (step > 0 ? cell.value.length : 0)
    : cell.selectionEnd - cell.selectionStart === cell.value.length)

document.addEventListener('keydown', (event) => {
  const cell = event.target.closest?.('[data-cell]')
  const { key, shiftKey } = event
  if (!cell || event.ctrlKey || event.metaKey || event.altKey) return
  if (key === 'Escape') {
    cell.value = cell.dataset.saved ?? savedValue(cell)
    return cell.select?.()
  }
  const [row, side] = steps[key] ?? []
  if (row === undefined || (row !== 0 && cell.matches('select') && key !== 'Enter')) return
  if (key.startsWith('Arrow') && side !== 0 && !isAtEdge(cell, side)) return
  const cells = [...document.querySelectorAll('[data-cell]')]
  const width = cells.filter((each) => each.closest('tr') === cell.closest('tr')).length
  const next = cells[cells.indexOf(cell) + row * width + (shiftKey && key === 'Tab' ? -1 : side)]
  // At the ends of the list, Tab leaves the cells as usual.
  if (next === undefined && key === 'Tab') return
  event.preventDefault()
  if (next === undefined) return announce('No more cells')
  next.focus()
  next.select?.()
})
