/* Optional: renews the form of corrections for a new item type at once. Without scripts a button does. */

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
    // An answer that is overtaken by a further choice is dropped.
    if (fields.length === 0 || request !== asked) return
    for (const part of fields) keepNewer(part, body)
    const isTyping = form.contains(document.activeElement) && document.activeElement !== typeIn(form)
    const focused = isTyping ? document.activeElement.name : typeIn(form).name
    fieldsOf(form).forEach((part, i) => part.replaceWith(fields[i]))
    form.elements[focused]?.focus()
  } catch {
    // The form stays as it is; saving it says what does not apply.
  }
}

/* What was filled in while the form was being renewed is not lost. */
function keepNewer(fields, sent) {
  for (const field of fields.querySelectorAll('[name]')) {
    const current = form.elements[field.name]
    if (current !== undefined && current.value !== (sent.get(field.name) ?? '')) field.value = current.value
  }
}
