/* Optional: downloads files, and then shows what the shop's file omits. Without scripts, the browser downloads. */

const form = document.querySelector('[data-download]')
const button = form.querySelector('[data-download-ticked]')

const ticked = () => [...form.querySelectorAll('.files li:has(input:checked) [name="format"]')]

const showButton = () => (button.disabled = ticked().length === 0)

async function downloadTicked() {
  button.disabled = true
  const [first, ...others] = ticked()
  // Garments marked as listed leave a filter by stage. So only the last file, which requires the least, marks them.
  for (const each of [...others.toReversed(), first]) if (!(await download(each, each === first))) break
  await showReport(first)
  showButton()
}

/** Downloads a button's file. After a failure, the browser submits the form, so that the page shows the problem. */
async function download(submitter, marks) {
  const body = new URLSearchParams(new FormData(form, submitter))
  if (!marks) body.delete('mark')
  // Pictures may need several files.
  for (let part = ''; part !== null;) {
    body.set('part', part)
    const response = await fetch(form.action, { method: 'POST', body }).catch(() => null)
    if (response?.ok !== true) {
      submitter.dataset.sent = ''
      return void form.requestSubmit(submitter)
    }
    const [, name] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition'))
    const href = URL.createObjectURL(await response.blob())
    Object.assign(document.createElement('a'), { href, download: name }).click()
    part = response.headers.get('X-Next-Part')
  }
  return true
}

/** Shows the check of the file that was just downloaded, and when each file was exported. */
async function showReport(submitter) {
  const query = new URLSearchParams(new FormData(form))
  // The file has just been exported, so nothing of it is new.
  query.delete('since')
  if (submitter.dataset.shop !== undefined) query.set('check', submitter.value)
  const response = await fetch(`?${query}`).catch(() => null)
  if (response?.ok !== true) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const id of ['checked', ...[...document.querySelectorAll('.files .hint')].map((hint) => hint.id)])
    document.getElementById(id).replaceWith(page.getElementById(id))
  document.getElementById('report')?.scrollIntoView()
}

async function downloadOne(submitter) {
  if (await download(submitter, true)) await showReport(submitter)
}

form.addEventListener('submit', (event) => {
  const { submitter } = event
  if (submitter?.name !== 'format' || submitter.dataset.sent !== undefined) return
  event.preventDefault()
  void downloadOne(submitter)
})
button.addEventListener('click', () => void downloadTicked())
form.addEventListener('change', showButton)
showButton()
