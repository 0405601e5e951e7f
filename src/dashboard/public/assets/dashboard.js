/* Optional: every page works without scripts. Adds copy buttons, live updates and small conveniences. */

for (const element of document.querySelectorAll('[data-with-scripts]')) element.hidden = false
for (const element of document.querySelectorAll('[data-without-scripts]')) element.hidden = true

const copyButtons = '[data-copy], [data-copy-from]'
const showCopyButtons = (root) => {
  for (const button of root.querySelectorAll(copyButtons)) button.hidden = false
}
showCopyButtons(document)

document.addEventListener('click', (event) => {
  const button = event.target.closest(copyButtons)
  if (button !== null) void copy(button)
})

async function copy(button) {
  const field = document.getElementById(button.dataset.copyFrom)
  try {
    await navigator.clipboard.writeText(field?.value ?? button.dataset.copy)
    announce('Copied')
    button.classList.add('copied')
    setTimeout(() => button.classList.remove('copied'), 1500)
  } catch {
    // Without permission to copy, select the text instead.
    if (field !== null) field.select()
    else getSelection().selectAllChildren(button.parentElement.querySelector('code'))
  }
}

/* Prevents double submission. */
document.addEventListener('submit', (event) => {
  if (event.target.dataset.sent !== undefined) event.preventDefault()
  event.target.dataset.sent = ''
})
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
})

document.querySelector('[data-focus]')?.focus()
document.querySelector('.menu [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

const zone = document.querySelector('[data-zone]')
if (zone?.value === 'UTC') zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone

function announce(text) {
  document.getElementById('announcement').textContent = text
}

/* Reloads an active #live section, at growing intervals, until its work has ended. Waits while the page is hidden. */
const pausesMs = [300, 400, 600, 900, 1300, 2000, 3000]
const longPauseMs = 5000
const maxReads = 200

const isLive = () => document.getElementById('live')?.dataset.live !== undefined

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const visible = () =>
  new Promise((resolve) => {
    if (!document.hidden) return resolve()
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
  })

async function readAgain() {
  const response = await fetch(location.href)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const before = document.getElementById('live')
  const after = page.getElementById('live')
  if (after === null) return
  const opened = [...before.querySelectorAll('details[open][id]')].map(({ id }) => id)
  const announced = before.dataset.announce
  if (before.innerHTML === after.innerHTML && before.dataset.live === after.dataset.live) return
  for (const id of opened) after.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '')
  before.replaceWith(after)
  showCopyButtons(after)
  for (const element of after.querySelectorAll('[data-with-scripts]')) element.hidden = false
  for (const element of after.querySelectorAll('[data-without-scripts]')) element.hidden = true
  if (after.dataset.announce !== undefined && after.dataset.announce !== announced) announce(after.dataset.announce)
}

async function follow() {
  for (let read = 0; isLive() && read < maxReads; read++) {
    await sleep(pausesMs[read] ?? longPauseMs)
    await visible()
    // The next read may succeed.
    await readAgain().catch(() => {})
  }
}
void follow()
