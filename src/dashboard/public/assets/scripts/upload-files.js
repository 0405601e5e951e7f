/* Sends the images that were chosen or dropped, each in a request of its own, with progress. */
import { followSection, reloadSection } from './live-section.js'
import { announce, sleep } from './page-parts.js'

const form = document.querySelector('[data-upload]')
const input = form.querySelector('input[type=file]')
const button = form.querySelector('button')
const list = form.querySelector('.uploads')
const newUuids = form.querySelector('[data-new-uuids]')

const atOnce = 3
const maxBytes = 20 * 1024 * 1024
const retryPausesMs = [1000, 2000, 4000, 8000, 15_000]

input.multiple = true
let active = 0

const plural = (count) => `${count} ${count === 1 ? 'image' : 'images'}`

input.addEventListener('change', () => {
  button.textContent = input.files.length > 1 ? `Upload ${plural(input.files.length)}` : 'Upload'
})

form.addEventListener('dragover', (event) => {
  event.preventDefault()
  form.classList.add('dragged')
})
form.addEventListener('dragleave', () => form.classList.remove('dragged'))
form.addEventListener('drop', (event) => {
  event.preventDefault()
  form.classList.remove('dragged')
  if (event.dataTransfer.files.length === 0) return
  input.files = event.dataTransfer.files
  input.dispatchEvent(new Event('change'))
  button.focus()
})

form.addEventListener('submit', (event) => {
  if (input.files.length === 0) return
  event.preventDefault()
  event.stopPropagation()
  const fields = new FormData(form)
  fields.delete(input.name)
  const waiting = [...input.files].map((file) => ({ file, fields, row: addRow(file) }))
  form.reset()
  button.textContent = 'Upload'
  void sendAll(waiting)
})

addEventListener('beforeunload', (event) => {
  if (active > 0) event.preventDefault()
})

async function sendAll(waiting) {
  const total = waiting.length
  let stored = 0
  const sendNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      active++
      if (await send(next)) stored++
      active--
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendNext))
  const refused = total - stored
  announce(`${plural(stored)} uploaded${refused > 0 ? `, ${refused} not` : ''}`)
  if (stored === 0) return
  showImport()
  await reloadSection()
  await followSection()
}

function showImport() {
  if (form.querySelector('.uploaded') !== null) return
  const link = document.createElement('a')
  link.className = 'uploaded button plain'
  link.href = form.dataset.upload
  link.textContent = 'Show how they are tagged'
  list.after(link)
}

function addRow(file) {
  const row = document.createElement('li')
  const name = document.createElement('span')
  const bar = document.createElement('progress')
  const state = document.createElement('span')
  name.className = 'break'
  name.textContent = file.name
  bar.max = 1
  bar.value = 0
  bar.setAttribute('aria-label', `Progress of ${file.name}`)
  state.className = 'hint'
  state.textContent = 'Waiting'
  row.append(name, bar, state)
  list.append(row)
  list.hidden = false
  return { bar, state }
}

/** True if the image was stored. */
async function send({ file, fields, row }) {
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  // Chosen once, so that an image whose answer was lost is not stored twice.
  if (newUuids.checked) body.set('uuid', crypto.randomUUID())
  body.append(input.name, file)
  const problem = file.size > maxBytes ? 'The file may have at most 20 MiB.' : await post(body, row)
  row.bar.value = 1
  row.bar.hidden = problem !== null
  row.state.textContent = problem ?? 'Uploaded'
  row.state.className = problem === null ? 'hint' : 'problem'
  return problem === null
}

/** Null, or what is wrong. */
async function post(body, row) {
  for (const pauseMs of [...retryPausesMs, null]) {
    const { status, text, retryAfter } = await request(body, row)
    if (status === 200 && text.startsWith('{')) return null
    if (status === 200) return 'Your session has ended. Sign in again, then upload the rest.'
    const passes = status === 0 || status === 429 || status >= 500
    if (!passes || pauseMs === null) return problemOf(text)
    row.state.textContent = 'Trying again'
    await sleep(Math.max(pauseMs, retryAfter * 1000))
  }
}

function problemOf(text) {
  try {
    const { problems } = JSON.parse(text)
    return problems.map((problem) => sentence(problem.replace(/^\w+: /, ''))).join(' ')
  } catch {
    return 'The service could not be reached.'
  }
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith('.') ? '' : '.')

/** `fetch` reports no progress of what it sends. */
function request(body, row) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      row.bar.value = loaded / total
      row.state.textContent = 'Uploading'
    })
    request.addEventListener('loadend', () => {
      const retryAfter = Number(request.getResponseHeader('Retry-After') ?? 0)
      resolve({ status: request.status, text: request.responseText, retryAfter })
    })
    request.open('POST', form.action)
    request.setRequestHeader('Accept', 'application/json')
    request.send(body)
  })
}
