/*
 * Converts chosen pictures to accepted formats and adds them to a garment. Without scripts, the browser submits the
 * form.
 */
import { prepareImage } from './prepare-image.js'
import { problemOf } from './send-file.js'

const form = document.querySelector('[data-add-pictures]')
const input = form?.querySelector('input')
const problem = form?.querySelector('.problem')

if (input) input.accept = 'image/*'

form?.addEventListener('submit', (event) => {
  if (input.files.length === 0) return
  event.preventDefault()
  event.stopPropagation()
  void add([...input.files])
})

async function add(files) {
  const button = form.querySelector('button')
  button.disabled = true
  problem.hidden = true
  const said = await send(files)
  button.disabled = false
  problem.textContent = said
  problem.hidden = said === ''
}

/** Uploads the pictures and reloads the page. Returns the problem, or an empty string. */
async function send(files) {
  const body = new FormData()
  for (const file of files) {
    const prepared = await prepareImage(file, form.dataset.addPictures === 'studio')
    if (prepared.problem !== undefined) return `${file.name}: ${prepared.problem}`
    body.append(input.name, prepared.file)
  }
  const headers = { Accept: 'application/json' }
  const response = await fetch(form.action, { method: 'POST', body, headers }).catch(() => null)
  if (response?.ok !== true || response.redirected) return problemOf((await response?.text()) ?? '')
  location.reload()
  return ''
}
