/* Optional: adds keyboard shortcuts to the review, and claims the next garment ahead to show it at once. */
import { announce, enableScriptedParts, isTyping } from './page-parts.js'

const review = () => document.getElementById('review')
const formOf = (node) => node.querySelector('form[action^="/dashboard/review?"]')

/* Earlier pages, and pages from which ArrowLeft came back. */
const before = []
const after = []

/*
 * The page of the next garment, or the page that says that none is left. A failure is reported when the page is needed.
 */
let next = fetchNext()
next.catch(() => {})

async function fetchNext() {
  const response = await fetch(review().dataset.next, { method: 'POST', body: new URLSearchParams() })
  if (!response.ok) throw new Error(`The next garment was answered by ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const node = page.getElementById('review')
  const picture = node?.querySelector('img')
  if (picture) await loaded(new URL(picture.getAttribute('src'), location.href).href)
  return { node, url: response.url }
}

/* Loads and decodes a picture, so that it appears together with its page. */
async function loaded(url) {
  const image = new Image()
  image.src = url
  await image.decode().catch(() => {})
}

const current = () => ({ node: review(), url: location.href })

function show({ node, url }) {
  review().replaceWith(node)
  enableScriptedParts(node)
  history.replaceState(null, '', url)
  scrollTo(0, 0)
  const first = node.querySelector('input:checked') ?? document.getElementById('main')
  first.focus()
  announce(node.dataset.uuid ?? node.querySelector('h2, .title').textContent)
}

async function goOn(saving) {
  review().querySelector('form[data-edited]')?.requestSubmit()
  const known = after.pop()
  let page
  try {
    page = known ?? (await next)
    // No garment was left when this page was fetched, but there may be one now.
    if (page.node.dataset.uuid === undefined) {
      await saving
      page = await fetchNext()
    }
  } catch {
    await saving
    return location.assign('/dashboard/review')
  }
  before.push(current())
  show(page)
  if (known !== undefined || page.node.dataset.uuid === undefined) return
  next = fetchNext()
  next.catch(() => {})
}

async function save(form, body) {
  const response = await fetch(form.action, { method: 'POST', headers: { Accept: 'application/json' }, body })
  if (response.status !== 204) throw new Error(`The review was answered by ${response.status}`)
}

/* Adds the pressed button's value, because `form.submit()` omits it. */
function addButton(form, button) {
  if (!button?.name) return
  const { name, value } = button
  form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (form !== formOf(review())) return
  event.preventDefault()
  delete form.dataset.sent
  const { submitter } = event
  if (submitter?.dataset.skip !== undefined) return void goOn(Promise.resolve())
  const saving = save(form, new URLSearchParams(new FormData(form, submitter)))
  const page = current()
  void goOn(saving.catch(() => {}))
  saving.catch(() => {
    // Returns to the garment. The browser submits the form, so that the page shows the problem.
    show(page)
    addButton(form, submitter)
    form.submit()
  })
})

const keys = {
  ArrowDown: () => moveFocus(1),
  ArrowUp: () => moveFocus(-1),
  // A value that was chosen is saved, not dropped.
  ArrowRight: () => (isChanged(formOf(review())) ? formOf(review()).requestSubmit() : goOn(Promise.resolve())),
  ArrowLeft: () => {
    const page = before.pop()
    if (page === undefined) return
    after.push(current())
    show(page)
  },
}

/* Returns true if the person has chosen another value than the page showed at first. */
const isChanged = (form) =>
  [...form.querySelectorAll('input[type="radio"]')].some((input) => input.checked !== input.defaultChecked) ||
  [...form.querySelectorAll('option')].some(
    (option) => option.selected && !option.defaultSelected && option.value !== '',
  )

function moveFocus(step) {
  const groups = [...review().querySelectorAll('fieldset')]
  const at = groups.findIndex((group) => group.contains(document.activeElement))
  const group = groups[(at + step + groups.length) % groups.length]
  group?.querySelector('input:checked')?.focus()
}

document.addEventListener('keydown', (event) => {
  const { target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  if (formOf(review()) === null || isTyping(target)) return
  const choice = target.closest('fieldset')?.querySelectorAll('input')[Number(key) - 1]
  if (choice !== undefined && choice !== null) {
    choice.checked = true
    choice.focus()
    const other = choice.closest('fieldset').querySelector('select')
    if (other !== null) other.value = ''
  } else if (keys[key] !== undefined) {
    event.preventDefault()
    void keys[key]()
  }
})
