const copyButtons = '[data-copy], [data-copy-from]'

/** Shows elements that need scripts, and hides their replacements. */
export function enableScriptedParts(root) {
  for (const element of root.querySelectorAll(`[data-with-scripts], ${copyButtons}`)) element.hidden = false
  for (const element of root.querySelectorAll('[data-without-scripts]')) element.hidden = true
  for (const link of root.querySelectorAll('[data-count]')) void count(link)
  for (const link of root.querySelectorAll('[data-part]')) void loadPart(link)
  for (const field of root.querySelectorAll('[data-remembered]')) remember(field)
}

/** Gives a field its last value in this browser. */
function remember(field) {
  const last = localStorage.getItem(field.id)
  const isBox = field.type === 'checkbox'
  if (isBox) field.checked = last === null ? field.checked : last === 'true'
  else if ([...field.options].some(({ value }) => value === last)) field.value = last
  field.addEventListener('change', () => localStorage.setItem(field.id, isBox ? field.checked : field.value))
}

/** Replaces a link by the page part at its target. After a failure, the link stays. */
async function loadPart(link) {
  const response = await fetch(link.dataset.part).catch(() => null)
  if (response?.ok !== true || response.redirected) return
  const { body } = new DOMParser().parseFromString(await response.text(), 'text/html')
  link.parentElement.replaceWith(...body.childNodes)
}

/** Replaces a link by the total at its target. After a failure, the link stays. */
async function count(link) {
  const response = await fetch(link.dataset.count).catch(() => null)
  if (response?.ok !== true || response.redirected) return
  const total = document.createElement('span')
  total.setAttribute('role', 'status')
  total.textContent = await response.text()
  link.replaceWith(total)
}

export function announce(text) {
  document.getElementById('announcement').textContent = text
}

/** Shows a confirmation at the bottom of the page, with a button if it can be undone, and announces it. */
export function toast(text, undo) {
  for (const shown of document.querySelectorAll('.toast')) shown.remove()
  const box = Object.assign(document.createElement('div'), { className: 'toast' })
  box.append(Object.assign(document.createElement('p'), { textContent: text }))
  if (undo !== undefined) {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Undo' })
    button.className = 'plain'
    button.addEventListener('click', undo)
    box.append(button)
  }
  document.getElementById('main').append(box)
  announce(text)
}

/** Returns true if the element takes keys as input. */
export const isTyping = (target) =>
  target.closest?.('input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]') !== null

export const copyButtonAt = (target) => target.closest(copyButtons)

export const stemOf = (name) => name.replace(/(.)\.[^.]*$/, '$1')

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
