/* Optional: keyboard shortcuts, on pages that have a help dialog for them. */
import { isTyping } from './page-parts.js'

const help = document.getElementById('shortcuts')
const box = document.getElementById('single-keys')

const areOff = () => localStorage.getItem('single-keys') === 'off'

function showHelp() {
  box.checked = !areOff()
  help.showModal()
}

document.getElementById('show-shortcuts').addEventListener('click', showHelp)
document.getElementById('hide-shortcuts').addEventListener('click', () => help.close())
box.addEventListener('change', () => localStorage.setItem('single-keys', box.checked ? 'on' : 'off'))
// While the dialog is open, the page's shortcuts do nothing.
help.addEventListener('keydown', (event) => event.stopPropagation())

function moveInList(step) {
  const links = [...document.querySelectorAll('#live .named')]
  const at = links.findIndex((link) => link.closest('tr, li').contains(document.activeElement))
  links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)]?.focus()
}

function use(element) {
  if (element.matches('a, button')) return element.click()
  element.focus()
  element.select()
}

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  if (isTyping(event.target) || areOff()) return
  const key = event.key.toLowerCase()
  const found = document.querySelector(`[aria-keyshortcuts="${CSS.escape(key)}"]`)
  if (key === '?') showHelp()
  else if (found !== null) use(found)
  else if (key === 'j' || key === 'k') moveInList(key === 'j' ? 1 : -1)
  else return
  event.preventDefault()
})
