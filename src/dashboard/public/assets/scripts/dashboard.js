/* Optional: every page works without scripts. Adds copy buttons, live updates and small conveniences. */
import './copy.js'
import { followSection } from './live-section.js'
import { announce, enableScriptedParts } from './page-parts.js'

enableScriptedParts(document)

/* Stores values for the documentation's examples. The API key is stored only for this tab. */
const { domain } = document.body.dataset
if (domain !== undefined) localStorage.setItem('domain', domain)
const newKey = document.querySelector('[data-new-key]')?.dataset.newKey
if (newKey !== undefined) sessionStorage.setItem('docs-api-key', newKey)
if (document.body.classList.contains('signed-out')) {
  localStorage.removeItem('domain')
  sessionStorage.removeItem('docs-api-key')
  // Photographs that were chosen but not uploaded (upload/keep-groups.js).
  indexedDB.deleteDatabase('upload')
}

document.addEventListener('submit', (event) => {
  // Downloads and dialogs leave the page open, so their forms may be submitted again.
  const isDownload = [event.target, event.submitter].some((each) => each?.dataset.download !== undefined)
  if (isDownload || event.submitter?.formMethod === 'dialog') return
  if (event.target.dataset.sent !== undefined) event.preventDefault()
  event.target.dataset.sent = ''
})
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
})

document.addEventListener('input', ({ target }) => {
  const form = target.form?.closest('form[data-guard]')
  if (!form || form.dataset.edited !== undefined) return
  form.dataset.edited = ''
  const note = form.querySelector('[data-unsaved]')
  if (note !== null) note.textContent = 'Not saved yet'
})
addEventListener('beforeunload', (event) => {
  if (document.querySelector('form[data-edited]:not([data-sent])') !== null) event.preventDefault()
})

document.addEventListener('click', (event) => {
  const { selectAll } = event.target.closest('button')?.dataset ?? {}
  if (selectAll === undefined) return
  const boxes = [...document.querySelectorAll(`td input[form="${selectAll}"], th input[form="${selectAll}"]`)]
  const usable = boxes.filter((box) => !box.disabled)
  const isTicked = usable.some((box) => !box.checked)
  for (const box of usable) box.checked = isTicked
  announce(isTicked ? `${usable.length} selected` : 'Nothing selected')
})

/* An open menu closes by a click elsewhere and by Escape. */
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('details.chip[open]')) if (!menu.contains(target)) menu.open = false
})
document.addEventListener('keydown', ({ key }) => {
  const menu = key === 'Escape' ? document.querySelector('details.chip[open]') : null
  if (menu === null) return
  menu.open = false
  menu.querySelector('summary').focus()
})

/* A page that is loaded again does not repeat its confirmation. */
const address = new URL(location.href)
if (address.searchParams.has('done')) {
  for (const name of ['done', 'binned', 'import']) address.searchParams.delete(name)
  history.replaceState(null, '', address)
}

/* Opens the section that the address or a link leads to. Browsers match :target only after this script has run. */
const openTarget = () => {
  const target = document.getElementById(location.hash.slice(1))
  if (target instanceof HTMLDetailsElement) target.open = true
}
openTarget()
addEventListener('hashchange', openTarget)

document.querySelector('[data-focus]')?.focus()
document.querySelector('[data-print]')?.addEventListener('click', () => print())
document.querySelector('.menu [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

const zone = document.querySelector('[data-zone]')
if (zone?.value === 'UTC') zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone

void followSection()
