/* Optional: updates the correction form at once when the item type changes. Without scripts, a button does it. */

const form = document.querySelector('[data-renew]')
const fieldsOf = (root) => [...root.querySelectorAll('[data-renewed]')]
const typeIn = (root) => root.querySelector('select[name="tag.Item Type"]')

let asked = 0

form?.addEventListener('change', (event) => {
  if (event.target === typeIn(form)) void renew()
})

async function renew() {
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
    const isTyping = form.contains(document.activeElement) && document.activeElement !== typeIn(form)
    const focused = isTyping ? document.activeElement.name : typeIn(form).name
    fieldsOf(form).forEach((part, i) => part.replaceWith(fields[i]))
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
