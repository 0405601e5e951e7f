/* Adds pictures to a garment after they were made what the service takes; without it, the browser sends the form. */
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

/** Sends them, and shows the page again; otherwise returns what is wrong. */
async function send(files) {
  const body = new FormData()
  for (const file of files) {
    const prepared = await prepareImage(file, form.dataset.addPictures === 'studio')
    if (prepared.problem !== undefined) return `${file.name}: ${prepared.problem}`
    body.append(input.name, prepared.file)
  }
  const headers = { Accept: 'application/json' }
  const response = await fetch(form.action, { method: 'POST', body, headers }).catch(() => null)
  if (response === null || !response.redirected) return problemOf((await response?.text()) ?? '')
  location.assign(response.url)
  if (new URL(response.url).pathname === location.pathname) location.reload()
  return ''
}
