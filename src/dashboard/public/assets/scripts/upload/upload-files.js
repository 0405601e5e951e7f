/* Uploads the chosen garments, one request each, and shows the outcome of each. */
import { followSection, reloadSection } from '../live-section.js'
import { announce } from '../page-parts.js'
import { addRow } from './add-row.js'
import { createGroups } from './garment-groups.js'
import { followLines } from './follow-lines.js'
import { prepareImage } from './prepare-image.js'
import { refuse, sendFile } from './send-file.js'

const form = document.querySelector('[data-upload]')
const input = form.querySelector('input[type=file]')
const button = form.querySelector(':scope > button')
const list = form.querySelector('.uploads')

const allRow = form.querySelector('.uploads-total')
const all = allRow.querySelector('progress')
const allText = allRow.querySelector('span')

const atOnce = 3

input.multiple = true
// Accepts every format that the browser can open, because the script converts it.
input.accept = 'image/*'
let active = 0

/** Maximum size of all files in one request. */
const maxFormBytes = 95_000_000

const plural = (count) => `${count} ${count === 1 ? 'garment' : 'garments'}`

const camera = form.querySelector('[data-camera]')
const groups = createGroups({ list: form.querySelector('.groups'), toolbar: form.querySelector('.moves') }, () => {
  const count = groups.count()
  button.textContent = count > 1 ? `Upload ${plural(count)}` : 'Upload'
})
let chosen = Promise.resolve()
let reading = 0
function choose(files) {
  reading++
  chosen = chosen.then(async () => {
    await groups.add(files)
    reading--
  })
  return chosen
}

function takeFiles() {
  const files = [...input.files]
  // The groups keep the files, so the field is free for more.
  input.value = ''
  void choose(files)
}
input.addEventListener('change', takeFiles)
// Takes files that were chosen before this script was loaded.
takeFiles()

form.addEventListener('dragover', (event) => {
  event.preventDefault()
  if (!groups.isDragging()) form.classList.add('dragged')
})
form.addEventListener('dragleave', () => form.classList.remove('dragged'))
form.addEventListener('drop', (event) => {
  event.preventDefault()
  form.classList.remove('dragged')
  if (event.dataTransfer.files.length > 0) void choose([...event.dataTransfer.files]).then(() => button.focus())
})

form.addEventListener('submit', (event) => {
  // The browser submits the empty form, and the service reports the problem.
  if (reading === 0 && groups.count() === 0) return
  event.preventDefault()
  event.stopPropagation()
  void chosen.then(sendChosen)
})

function sendChosen() {
  const fields = new FormData(form)
  fields.delete(input.name)
  const waiting = groups.take().map(({ files, name }) => ({
    files,
    fields,
    // Chosen once per garment, so that a repeated upload is not stored twice.
    uuid: fields.has('file_names') ? name : crypto.randomUUID(),
    row: addRow(list, files.length > 1 ? `${files[0].name} and ${files.length - 1} more` : files[0].name),
  }))
  // The attributes stay in the form for the next images.
  void sendAll(waiting)
}

/* Phones open the camera for an input with `capture`. */
camera.addEventListener('change', (event) => {
  for (const file of event.target.files) groups.capture(file, event.target.dataset.next !== undefined)
  event.target.value = ''
  for (const label of camera.querySelectorAll('[data-further]')) label.hidden = false
  camera.querySelector('[data-first]').textContent = 'Next garment'
})

addEventListener('beforeunload', (event) => {
  if (active > 0) event.preventDefault()
})

async function sendAll(waiting) {
  const total = waiting.length
  // Counts all garments since the page was opened.
  all.max = total + (allRow.hidden ? 0 : all.max)
  allRow.hidden = false
  allText.textContent = `${all.value} of ${all.max}`
  const stored = new Map()
  const sendNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      active++
      const line = await prepareAndSend(next)
      if (line !== null) stored.set(line, next.row)
      // The list shows the import as soon as it has a garment.
      if (stored.size === 1) void reloadSection()
      active--
      all.value++
      allText.textContent = `${all.value} of ${all.max}`
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendNext))
  const refused = total - stored.size
  announce(`${plural(stored.size)} uploaded${refused > 0 ? `, ${refused} not` : ''}`)
  if (stored.size === 0) return
  form.querySelector('.uploaded').hidden = false
  await reloadSection()
  await Promise.all([followSection(), followLines(form.dataset.upload, stored)])
}

/** Sends a garment with all its pictures, or refuses it. */
async function prepareAndSend({ files, fields, uuid, row }) {
  row.showState('Preparing')
  const prepared = []
  for (const file of files) {
    const { file: ready, problem } = await prepareImage(file, fields.get('attribute.Studio').trim() !== '')
    if (problem !== undefined) return refuse(row, files.length > 1 ? `${file.name}: ${problem}` : problem)
    prepared.push(ready)
  }
  const bytes = prepared.reduce((sum, { size }) => sum + size, 0)
  if (bytes > maxFormBytes) return refuse(row, 'Its pictures may have at most 95 MB together: leave one out.')
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  body.set('uuid', uuid)
  body.set('total', all.max)
  for (const file of prepared) body.append(input.name, file)
  return await sendFile(form.action, body, row)
}
