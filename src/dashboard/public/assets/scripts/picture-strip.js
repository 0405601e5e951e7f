/*
 * Optional: shows a picture of the strip as the large one, moves pictures by mouse, touch and keyboard, and saves each
 * change without leaving the page. Without scripts, a picture's link opens it in full size, and its menu changes it.
 */
import { followSection, reloadSection } from './live-section.js'
import { toast } from './page-parts.js'

/** True until the click that ends a drag has been handled. */
let wasDragged = false

document.addEventListener('click', (event) => {
  if (wasDragged) event.preventDefault()
  const link = event.target.closest('#picture-strip [data-picture]')
  const stage = document.querySelector('.photograph .stage')
  if (wasDragged || link === null || stage === null || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  stage.querySelector('img').src = link.dataset.picture
  stage.querySelector('a').href = link.href
  // Measuring lines belong to one picture.
  stage.classList.toggle('other', link.dataset.isMeasured === undefined)
  for (const other of document.querySelectorAll('#picture-strip [data-picture]'))
    if (other === link) other.setAttribute('aria-current', 'true')
    else other.removeAttribute('aria-current')
})

/** Submits a form of the strip. If that fails, the browser submits it, so that the page shows the problem. */
async function save(form, values) {
  form.closest('li').setAttribute('aria-busy', 'true')
  const body = new URLSearchParams(values)
  const response = await fetch(form.action, { method: 'POST', body }).catch(() => null)
  if (response?.ok !== true) {
    for (const [name, value] of body)
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
    form.submit()
    return
  }
  // Shows the changed pictures even while an earlier change is being described.
  delete document.getElementById('live').dataset.live
  await reloadSection()
  toast(document.querySelector('#live[data-live]') === null ? 'Saved.' : 'Saved. The garment is described again.')
  await followSection()
}

document.addEventListener('submit', (event) => {
  if (event.target.closest('#picture-strip') === null) return
  event.preventDefault()
  void save(event.target, new FormData(event.target, event.submitter))
})

document.addEventListener('change', ({ target }) => {
  if (target.closest('#picture-strip select') !== null) target.form.requestSubmit()
})

const itemAt = (node) => node?.closest?.('#picture-strip > [data-place]') ?? null
const placeOf = (item) => [...item.parentNode.children].indexOf(item) + 1

/** Saves the place at which the item stands, if it has changed. */
function savePlace(item) {
  const place = placeOf(item)
  if (place === Number(item.dataset.place)) return
  const form = item.querySelector('form')
  void save(form, { [form.querySelector('[name^="place."]').name]: place })
}

/** Moves the item to the place of another. */
function moveTo(item, other) {
  if (placeOf(other) > placeOf(item)) other.after(item)
  else other.before(item)
}

const canMove = (item) => Boolean(item?.querySelector('[name^="place."]'))

/** By touch, a long press picks up a picture, so that the page can still be scrolled. */
const pressMs = 300
const slack = 6

let press = null
let dragged = null

function pickUp() {
  dragged = press.item
  dragged.classList.add('picked-up')
}

function letGo() {
  clearTimeout(press?.timer)
  dragged?.classList.remove('picked-up')
  press = null
  dragged = null
}

document.addEventListener('pointerdown', (event) => {
  const item = itemAt(event.target.closest('#picture-strip > li > a'))
  if (!canMove(item) || !event.isPrimary || event.button !== 0) return
  press = { item, x: event.clientX, y: event.clientY, isTouch: event.pointerType !== 'mouse' }
  if (press.isTouch) press.timer = setTimeout(pickUp, pressMs)
})

document.addEventListener('pointermove', ({ clientX: x, clientY: y }) => {
  if (press === null) return
  if (dragged === null) {
    if (Math.hypot(x - press.x, y - press.y) < slack) return
    if (press.isTouch) return letGo()
    pickUp()
  }
  const other = itemAt(document.elementFromPoint(x, y))
  if (other !== null && other !== dragged) moveTo(dragged, other)
})

for (const type of ['pointerup', 'pointercancel'])
  document.addEventListener(type, () => {
    const item = dragged
    letGo()
    if (item === null) return
    wasDragged = true
    setTimeout(() => (wasDragged = false))
    savePlace(item)
  })

for (const type of ['touchmove', 'contextmenu', 'dragstart'])
  document.addEventListener(
    type,
    (event) => {
      if (dragged !== null || (type === 'dragstart' && press !== null)) event.preventDefault()
    },
    { passive: false },
  )

document.addEventListener('keydown', (event) => {
  const item = itemAt(event.target.closest('#picture-strip > li > a'))
  const step = { ArrowLeft: 'previousElementSibling', ArrowRight: 'nextElementSibling' }[event.key]
  if (step === undefined || !canMove(item) || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  const other = item[step]
  if (other === null) return
  moveTo(item, other)
  item.querySelector('a').focus()
  savePlace(item)
})
