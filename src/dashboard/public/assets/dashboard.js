/* Nothing here is needed to use the pages: it copies, follows what is under way, and saves a few keystrokes. */

for (const element of document.querySelectorAll('[data-scripted-only]')) element.hidden = false
for (const element of document.querySelectorAll('[data-scriptless]')) element.hidden = true

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
    say('Copied')
    button.classList.add('copied')
    setTimeout(() => button.classList.remove('copied'), 1500)
  } catch {
    // Not allowed here: the text is selected instead, one key away from being copied.
    if (field !== null) field.select()
    else getSelection().selectAllChildren(button.parentElement.querySelector('code'))
  }
}

/* A second click must not create a second key. */
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

function say(text) {
  document.getElementById('said').textContent = text
}

/* What is under way is read again, ever more slowly, until it has ended or nobody looks. */
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
  const wasSaid = before.dataset.say
  if (before.innerHTML === after.innerHTML && before.dataset.live === after.dataset.live) return
  for (const id of opened) after.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '')
  before.replaceWith(after)
  showCopyButtons(after)
  for (const element of after.querySelectorAll('[data-scripted-only]')) element.hidden = false
  for (const element of after.querySelectorAll('[data-scriptless]')) element.hidden = true
  if (after.dataset.say !== undefined && after.dataset.say !== wasSaid) say(after.dataset.say)
}

async function follow() {
  for (let read = 0; isLive() && read < maxReads; read++) {
    await sleep(pausesMs[read] ?? longPauseMs)
    await visible()
    // A read that fails is no news; the next one may be.
    await readAgain().catch(() => {})
  }
}
void follow()
