/* Reloads an active #live section, at growing intervals, until its work has ended. Waits while the page is hidden. */
import { announce, enableScriptedParts, sleep } from './page-parts.js'

const pausesMs = [300, 400, 600, 900, 1300, 2000, 3000]
const longPauseMs = 5000
/** Work that takes longer than this many reads, some 15 minutes, takes hours, or waits for somebody. */
const maxFrequentReads = 200
const rarePauseMs = 30_000

const pauseBefore = (read) => pausesMs[read] ?? (read < maxFrequentReads ? longPauseMs : rarePauseMs)

const isLive = () => document.getElementById('live')?.dataset.live !== undefined

const visible = () =>
  new Promise((resolve) => {
    if (!document.hidden) return resolve()
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
  })

/* Whether something was ticked or typed, or a measuring line was moved, or is about to be. */
const isEdited = (section) =>
  section.querySelector('form[data-edited], input:checked, :is(input, textarea, select, [role="slider"]):focus') !==
    null ||
  [...section.querySelectorAll('input:is([type="text"], [type="file"])')].some(
    ({ value, defaultValue }) => value !== defaultValue,
  )

/** Replaces the section by that of the page as it is now, unless that would undo what somebody is editing. */
export async function reloadSection() {
  const response = await fetch(location.href)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const before = document.getElementById('live')
  const after = page.getElementById('live')
  if (after === null) return
  if (isEdited(before)) return
  const opened = [...before.querySelectorAll('details[open][id]')].map(({ id }) => id)
  const announced = before.dataset.announce
  if (before.innerHTML === after.innerHTML && before.dataset.live === after.dataset.live) return
  for (const id of opened) after.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '')
  const focused = before.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null
  before.replaceWith(after)
  if (focused !== null) after.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true })
  enableScriptedParts(after)
  if (after.dataset.announce !== undefined && after.dataset.announce !== announced) announce(after.dataset.announce)
}

export async function followSection() {
  for (let read = 0; isLive(); read++) {
    await sleep(pauseBefore(read))
    await visible()
    // The next read may succeed.
    await reloadSection().catch(() => {})
  }
}
