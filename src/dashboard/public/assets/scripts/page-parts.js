const copyButtons = '[data-copy], [data-copy-from]'

/** Shows what is hidden without scripts, and hides what they replace. */
export function enableScriptedParts(root) {
  for (const element of root.querySelectorAll(`[data-with-scripts], ${copyButtons}`)) element.hidden = false
  for (const element of root.querySelectorAll('[data-without-scripts]')) element.hidden = true
  for (const link of root.querySelectorAll('[data-count]')) void count(link)
  for (const link of root.querySelectorAll('[data-part]')) void loadPart(link)
}

/** Replaces a link by the part of the page that it leads to. If that fails, the link stays. */
async function loadPart(link) {
  const response = await fetch(link.dataset.part).catch(() => null)
  if (response?.ok !== true || response.redirected) return
  const { body } = new DOMParser().parseFromString(await response.text(), 'text/html')
  link.parentElement.replaceWith(...body.childNodes)
}

/** Replaces a link by the total that it leads to. If that fails, the link stays. */
async function count(link) {
  const response = await fetch(link.dataset.count).catch(() => null)
  if (response?.ok !== true || response.redirected) return
  const total = document.createElement('span')
  total.setAttribute('role', 'status')
  total.textContent = await response.text()
  link.replaceWith(total)
}

/** Tells a screen reader. */
export function announce(text) {
  document.getElementById('announcement').textContent = text
}

/** Whether keys go into a field, or choose from a list. */
export const isTyping = (target) =>
  target.closest?.('input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]') !== null

export const copyButtonAt = (target) => target.closest(copyButtons)

/** A file's name without its extension. */
export const stemOf = (name) => name.replace(/(.)\.[^.]*$/, '$1')

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
