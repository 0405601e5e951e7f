import { enableScriptedParts } from './page-parts.js'

/*
 * Optional: updates the correction form at once when the item type or a switch of the description changes, and shows
 * which texts are edited. Without scripts, a button updates the form.
 */

const form = document.querySelector('[data-renew]')
const fieldsOf = (root) => [...root.querySelectorAll('[data-renewed]')]
const typeIn = (root) => root.querySelector('select[name="tag.Item Type"]')

let asked = 0

form?.addEventListener('change', (event) => {
  if (event.target === typeIn(form) || event.target.closest('[data-blocks]') !== null) void renew(event.target)
})
form?.addEventListener('input', showEdited)
if (form !== null) showEdited()

/* Says which texts differ from the generated ones. An edited description has no switches, because it stays as it is. */
function showEdited() {
  for (const part of form.querySelectorAll('[data-generated]')) {
    const text = part.querySelector('textarea').value.trim()
    const isEdited = text !== '' && text !== part.querySelector('[type="hidden"]').value.trim()
    part.querySelector('[data-edited-text]').hidden = !isEdited
    if (part.nextElementSibling?.dataset.blocks !== undefined) part.nextElementSibling.hidden = isEdited
  }
}

async function renew(changed) {
  const request = ++asked
  const body = new URLSearchParams(new FormData(form))
  body.set('intent', 'renew')
  try {
    const response = await fetch(form.action, { method: 'POST', body })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const fields = fieldsOf(page)
    // Ignores this response if a later choice has replaced it.
    if (fields.length === 0 || request !== asked) return
    for (const part of fields) keepNewer(part, body)
    const isTyping = form.contains(document.activeElement) && document.activeElement !== changed
    const focused = isTyping ? document.activeElement.name : changed.name
    fieldsOf(form).forEach((part, i) => part.replaceWith(fields[i]))
    enableScriptedParts(form)
    showEdited()
    form.elements[focused]?.focus()
  } catch {
    // After a failure, the form stays unchanged. Saving it reports the problem.
  }
}

/* Keeps input that was typed while the form was being updated. */
function keepNewer(fields, sent) {
  for (const field of fields.querySelectorAll('[name]')) {
    const current = form.elements[field.name]
    if (current !== undefined && current.value !== (sent.get(field.name) ?? '')) field.value = current.value
  }
}
