/* Search, request forms, tabs and copy buttons of the documentation. Every page can be read without scripts. */
import { element } from './element.js'
import './request-form.js'
import './search.js'
import './tabs.js'

/* On a narrow screen the menu starts closed. */
if (matchMedia('(max-width: 59.99rem)').matches) document.querySelector('.contents').open = false

for (const block of document.querySelectorAll('.code')) {
  const button = Object.assign(element('button', 'Copy', 'quiet'), { type: 'button' })
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 1500)
  })
  block.append(button)
}
