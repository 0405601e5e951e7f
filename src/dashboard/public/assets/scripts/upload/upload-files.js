/* Sends the images that were chosen or dropped, each in a request of its own, and shows what became of each. */
import { followSection, reloadSection } from '../live-section.js'
import { announce } from '../page-parts.js'
import { addRow } from './add-row.js'
import { followLines } from './follow-lines.js'
import { prepareImage } from './prepare-image.js'
import { sendFile } from './send-file.js'

const form = document.querySelector('[data-upload]')
const input = form.querySelector('input[type=file]')
const button = form.querySelector('button')
const list = form.querySelector('.uploads')

const allRow = form.querySelector('.uploads-total')
const all = allRow.querySelector('progress')
const allText = allRow.querySelector('span')

const atOnce = 3

input.multiple = true
// Whatever the browser can open is converted here.
input.accept = 'image/*'
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
  const waiting = [...input.files].map((file) => ({ file, fields, row: addRow(list, file.name) }))
  // The attributes stay, for the next images.
  input.value = ''
  button.textContent = 'Upload'
  void sendAll(waiting)
})

/* A phone opens its camera for an input with `capture`; each photograph is added to those that were chosen. */
const camera = form.querySelector('[data-camera]')
camera.addEventListener('change', () => {
  const chosen = new DataTransfer()
  for (const file of [...input.files, ...camera.files]) chosen.items.add(file)
  camera.value = ''
  input.files = chosen.files
  input.dispatchEvent(new Event('change'))
})

addEventListener('beforeunload', (event) => {
  if (active > 0) event.preventDefault()
})

async function sendAll(waiting) {
  const total = waiting.length
  // All that were chosen since the page was opened.
  all.max = total + (allRow.hidden ? 0 : all.max)
  allRow.hidden = false
  allText.textContent = `${all.value} of ${all.max}`
  const stored = new Map()
  const sendNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      active++
      const line = await prepareAndSend(next)
      if (line !== null) stored.set(line, next.row)
      active--
      all.value++
      allText.textContent = `${all.value} of ${all.max}`
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendNext))
  const refused = total - stored.size
  announce(`${plural(stored.size)} uploaded${refused > 0 ? `, ${refused} not` : ''}`)
  if (stored.size === 0) return
  showImport()
  await reloadSection()
  await Promise.all([followSection(), followLines(form.dataset.upload, stored)])
}

async function prepareAndSend({ file, fields, row }) {
  row.showState('Preparing')
  const { file: prepared, problem } = await prepareImage(file, fields.get('attribute.Studio').trim() !== '')
  if (problem === undefined) return await sendFile(form.action, bodyOf(prepared, fields), row)
  row.showProblem(problem)
  return null
}

function bodyOf(file, fields) {
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  // Chosen once, so that an image whose answer was lost is not stored twice.
  if (!fields.has('file_names')) body.set('uuid', crypto.randomUUID())
  body.set('total', all.max)
  body.append(input.name, file)
  return body
}

function showImport() {
  if (form.querySelector('.uploaded') !== null) return
  const link = document.createElement('a')
  link.className = 'uploaded button plain'
  link.href = form.dataset.upload
  link.textContent = 'Show how they are tagged'
  list.after(link)
}
