/* Optional: downloads the selected files one after another. Without scripts, each file has its own button. */

const form = document.querySelector('[data-download]')
const button = form.querySelector('[data-download-ticked]')

const ticked = () => [...form.querySelectorAll('.files li:has(input:checked) [name="format"]')]

const showButton = () => (button.disabled = ticked().length === 0)

async function downloadTicked() {
  button.disabled = true
  const [first, ...others] = ticked()
  // Garments marked as listed leave a filter by stage. So only the last file, which requires the least, marks them.
  for (const each of [...others.toReversed(), first]) if (!(await download(each, each === first))) break
  showButton()
}

/** Downloads a button's file. After a failure, the browser submits the form, so that the page shows the problem. */
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
