/* One language at a time where a page has an example in several. The choice holds for all pages. */
import { element } from './element.js'

const key = 'docs-language'
const groups = [...document.querySelectorAll('.tabs')]

const blocksOf = (group) => [...group.querySelectorAll('.code')]

groups.forEach((group, number) => {
  const list = element('div', '', 'tab-list')
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Language')
  for (const [i, block] of blocksOf(group).entries()) {
    const { tab } = block.dataset
    const button = Object.assign(element('button', tab), { type: 'button', id: `tab-${number}-${i}` })
    button.setAttribute('role', 'tab')
    button.setAttribute('aria-controls', (block.id = `panel-${number}-${i}`))
    button.addEventListener('click', () => choose(tab))
    block.setAttribute('role', 'tabpanel')
    block.setAttribute('aria-labelledby', button.id)
    list.append(button)
  }
  list.addEventListener('keydown', (event) => moveFocus(event, [...list.children]))
  for (const name of group.querySelectorAll('.language')) name.remove()
  group.prepend(list)
})

function moveFocus(event, tabs) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length]
  next.click()
  next.focus()
}

function choose(language) {
  localStorage.setItem(key, language)
  show(language)
}

function show(language) {
  for (const group of groups) {
    const names = blocksOf(group).map(({ dataset }) => dataset.tab)
    const shown = names.includes(language) ? language : names[0]
    for (const block of blocksOf(group)) block.hidden = block.dataset.tab !== shown
    for (const tab of group.querySelectorAll('[role="tab"]')) {
      const isShown = tab.textContent === shown
      tab.setAttribute('aria-selected', String(isShown))
      tab.tabIndex = isShown ? 0 : -1
    }
  }
}

show(localStorage.getItem(key))
