const copyButtons = '[data-copy], [data-copy-from]'

/** Shows what is hidden without scripts, and hides what they replace. */
export function enableScriptedParts(root) {
  for (const element of root.querySelectorAll(`[data-with-scripts], ${copyButtons}`)) element.hidden = false
  for (const element of root.querySelectorAll('[data-without-scripts]')) element.hidden = true
}

/** Tells a screen reader. */
export function announce(text) {
  document.getElementById('announcement').textContent = text
}

export const copyButtonAt = (target) => target.closest(copyButtons)

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
