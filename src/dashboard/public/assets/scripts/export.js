/* Optional: each file can be downloaded by itself. Downloads those that are ticked, one after the other. */

const form = document.querySelector('[data-download]')
const button = form.querySelector('[data-download-ticked]')

const ticked = () => [...form.querySelectorAll('.files li:has(input:checked) [name="format"]')]

const showButton = () => (button.disabled = ticked().length === 0)

async function downloadTicked() {
  button.disabled = true
  const [first, ...others] = ticked()
  // What is marked as listed leaves a filter by stage, so only the last file marks, which asks a garment for least.
  for (const each of [...others.toReversed(), first]) if (!(await download(each, each === first))) break
  showButton()
}

/** Downloads the file of a button. If that fails, has the browser send the form, which shows what is wrong. */
async function download(submitter, marks) {
  const body = new URLSearchParams(new FormData(form, submitter))
  if (!marks) body.delete('mark')
  const response = await fetch(form.action, { method: 'POST', body }).catch(() => null)
  if (response?.ok !== true) return void form.requestSubmit(submitter)
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition'))
  const href = URL.createObjectURL(await response.blob())
  Object.assign(document.createElement('a'), { href, download: name }).click()
  return true
}

button.addEventListener('click', () => void downloadTicked())
form.addEventListener('change', showButton)
showButton()
