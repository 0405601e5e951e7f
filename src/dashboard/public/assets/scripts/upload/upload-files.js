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
const note = form.querySelector('[data-note]')
const groups = createGroups(
  {
    list: form.querySelector('.groups'),
    toolbar: form.querySelector('.moves'),
    owner: document.body.dataset.domain,
    numbersUrl: form.dataset.numbers,
  },
  () => {
    const count = groups.count()
    button.textContent = count > 1 ? `Upload ${plural(count)}` : 'Upload'
  },
)
const say = (text) => {
  note.textContent = text
  note.hidden = text === ''
}
let chosen = groups.restore().then((count) => {
  if (count > 0) say(`${plural(count)} of your last visit ${count === 1 ? 'is' : 'are'} not uploaded yet.`)
})
let reading = 0
function choose(files) {
  if (files.length === 0) return chosen
  reading++
  chosen = chosen.then(async () => {
    const repeated = await groups.add(files, (looked, total) => say(`Looking at the pictures: ${looked} of ${total}`))
    reading--
    say(repeated === 0 ? '' : `${repeated === 1 ? 'One file was' : `${repeated} files were`} already chosen.`)
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
  void chosen.then(sendAnswered)
})

/** Sends the garments, unless a question about an existing garment has no answer yet. */
async function sendAnswered() {
  const question = await groups.findQuestion()
  if (question === null) return sendChosen()
  say('Say first whether the pictures belong to an existing garment.')
  question.scrollIntoView({ block: 'nearest' })
  question.focus()
}

function sendChosen() {
  const fields = new FormData(form)
  fields.delete(input.name)
  say('')
  const waiting = groups.take().map(({ files, name, uuid, preview, code, forget }) => ({
    files,
    fields,
    code,
    forget,
    uuid: fields.has('file_names') ? name : uuid,
    row: addRow(list, files.length > 1 ? `${files[0].name} and ${files.length - 1} more` : files[0].name, preview),
  }))
  // The attributes stay in the form for the next images.
  void sendAll(waiting)
}

/* Phones open the camera for an input with `capture`. */
camera.addEventListener('change', (event) => {
  const isNext = event.target.dataset.next !== undefined
  const captures = [...event.target.files].map(async (file) => await groups.capture(file, isNext))
  chosen = Promise.all([chosen, ...captures])
  event.target.value = ''
  for (const label of camera.querySelectorAll('[data-further]')) label.hidden = false
  camera.querySelector('[data-first]').textContent = 'Next garment'
})

addEventListener('beforeunload', (event) => {
  if (active > 0) event.preventDefault()
})

/** Garments since the page was opened. */
const counts = { total: 0, sent: 0, refused: 0, stored: 0, described: 0, failed: 0 }
/** Rows of garments that are not described yet, by their line of the import. */
const rows = new Map()
let following = null

/** Each garment counts twice in the bar: once it is sent, and once it is described or has failed. */
function showCounts() {
  const { total, sent, refused, stored, described, failed } = counts
  all.max = 2 * total
  all.value = 2 * (refused + sent) - stored + described + failed
  allRow.hidden = false
  const notDescribed = failed > 0 ? `, ${failed} could not be` : ''
  allText.textContent = `${sent} of ${total} sent, ${described} of ${stored} described${notDescribed}`
}

async function sendAll(waiting) {
  counts.total += waiting.length
  showCounts()
  const sendNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      active++
      const answer = await prepareAndSend(next)
      active--
      counts[answer === null ? 'refused' : 'sent']++
      if (answer !== null) next.forget()
      if (answer?.line !== undefined) follow(answer.line, next.row)
      showCounts()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendNext))
  const { sent, refused } = counts
  announce(`${plural(sent)} uploaded${refused > 0 ? `, ${refused} not` : ''}`)
  if (sent === 0) return
  form.querySelector('.uploaded').hidden = false
  await reloadSection()
  await followSection()
}

/** Shows in its row how a stored garment is described. */
function follow(line, row) {
  counts.stored++
  rows.set(line, row)
  if (following !== null) return
  // The list shows the import as soon as it has a garment.
  void reloadSection()
  const isSending = () => active > 0
  const onEnd = (isDescribed) => {
    counts[isDescribed ? 'described' : 'failed']++
    showCounts()
  }
  following = followLines(form.dataset.upload, rows, { isSending, onEnd }).then(() => {
    following = null
    const { stored, described, failed } = counts
    announce(`${described} of ${stored} described${failed > 0 ? `, ${failed} not` : ''}`)
  })
}

/** Sends a garment with all its pictures, or refuses it. Returns the answer, or null. */
async function prepareAndSend({ files, fields, uuid, code, row }) {
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
  if (code?.answer === 'add') {
    for (const file of prepared) body.append('pictures', file)
    return await sendFile(
      `${form.dataset.addPictures}?uuid=${encodeURIComponent(code.uuid)}`,
      body,
      row,
      `Added to G-${code.number}`,
    )
  }
  for (const [name, value] of fields) body.append(name, value)
  body.set('uuid', uuid)
  body.set('total', counts.total)
  if (code?.status === 'reserved') body.set('number', code.number)
  for (const name of ['SKU', 'Barcode']) if (code?.[name] !== undefined) body.set(name, code[name])
  for (const file of prepared) body.append(input.name, file)
  return await sendFile(form.action, body, row)
}
