/* Reloads the section `#live` at growing intervals until its work has ended. Pauses while the page is hidden. */
import { announce, enableScriptedParts, sleep } from './page-parts.js'

const pausesMs = [300, 400, 600, 900, 1300, 2000, 3000]
const longPauseMs = 5000
/** After this many reads, about 15 minutes, the work probably takes hours or waits for a person. */
const maxFrequentReads = 200
const rarePauseMs = 30_000

const pauseBefore = (read) => pausesMs[read] ?? (read < maxFrequentReads ? longPauseMs : rarePauseMs)

const isLive = () => document.getElementById('live')?.dataset.live !== undefined

const visible = () =>
  new Promise((resolve) => {
    if (!document.hidden) return resolve()
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
  })

const editing =
  'form[data-edited], .picked-up, :is(input, textarea, select:not(#picture-strip select), [role="slider"]):focus'

const isEdited = (section) =>
  section.querySelector(editing) !== null ||
  [...section.querySelectorAll('input:is([type="checkbox"], [type="radio"]):not([data-remembered])')].some(
    ({ checked, defaultChecked }) => checked !== defaultChecked,
  ) ||
  [...section.querySelectorAll('input:is([type="text"], [type="file"])')].some(
    ({ value, defaultValue }) => value !== defaultValue,
  )

/**
 * Replaces the section by its current version. While somebody edits it, or while a finished garment is described again,
 * only its pictures are replaced, once.
 */
export async function reloadSection() {
  const response = await fetch(location.href)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const before = document.getElementById('live')
  const after = page.getElementById('live')
  if (after === null) return
  const isAgain = after.dataset.interim !== undefined && before.dataset.interim === undefined
  if (isAgain || isEdited(before)) {
    const [strip, changed] = [before, after].map((section) => section.querySelector('#picture-strip'))
    if (isLive() || !strip || !changed) return
    if (after.dataset.live !== undefined) before.dataset.live = ''
    replace(strip, changed)
    return
  }
  const announced = before.dataset.announce
  replace(before, after)
  if (after.dataset.announce !== undefined && after.dataset.announce !== announced) announce(after.dataset.announce)
}

/** Replaces a part of the page. Keeps sections open that are open, and the focus. */
function replace(before, after) {
  if (before.innerHTML === after.innerHTML && before.dataset.live === after.dataset.live) return
  const isPhone = matchMedia('(max-width: 47.99rem)').matches
  for (const section of after.querySelectorAll('details[id]')) {
    const former = before.querySelector(`#${CSS.escape(section.id)}`)
    section.open = former?.open ?? (section.open && !(isPhone && section.dataset.wide !== undefined))
  }
  const active = before.contains(document.activeElement) ? document.activeElement : null
  const [id, href] = [active?.id, active?.getAttribute('href')]
  before.replaceWith(after)
  const selector = id ? `#${CSS.escape(id)}` : href && `a[href="${CSS.escape(href)}"]`
  if (selector) after.querySelector(selector)?.focus({ preventScroll: true })
  enableScriptedParts(after)
}

let isFollowing = false

export async function followSection() {
  if (isFollowing) return
  isFollowing = true
  for (let read = 0; isLive(); read++) {
    await sleep(pauseBefore(read))
    await visible()
    // Ignores a failed read, because the next one may succeed.
    await reloadSection().catch(() => {})
  }
  isFollowing = false
}
