/*
 * Optional: shows a picture of the strip as the large one, and lets people drag pictures to another place. Without
 * scripts, a picture's link opens it in full size, and its menu moves it.
 */
document.addEventListener('click', (event) => {
  const link = event.target.closest('.strip [data-picture]')
  const stage = document.querySelector('.photograph .stage')
  if (link === null || stage === null || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  stage.querySelector('img').src = link.dataset.picture
  stage.querySelector('a').href = link.href
  // Measuring lines belong to one picture.
  stage.classList.toggle('other', link.dataset.isMeasured === undefined)
  for (const other of document.querySelectorAll('.strip [data-picture]'))
    if (other === link) other.setAttribute('aria-current', 'true')
    else other.removeAttribute('aria-current')
})

let dragged = null

const placesOf = (node) => node.closest?.('.photograph .strip > [data-place]')

for (const item of document.querySelectorAll('.photograph .strip > [data-place]'))
  item.draggable = item.querySelector('form') !== null

document.addEventListener('dragstart', (event) => {
  dragged = placesOf(event.target)
})
document.addEventListener('dragend', () => {
  dragged = null
})
document.addEventListener('dragover', (event) => {
  if (dragged !== null && placesOf(event.target)) event.preventDefault()
})

/* Sends the form of the dragged picture with the place at which it was dropped. */
document.addEventListener('drop', (event) => {
  const target = placesOf(event.target)
  if (dragged === null || !target || target === dragged) return
  event.preventDefault()
  const form = dragged.querySelector('form')
  const { name } = form.querySelector('[name^="place."]')
  const value = target.dataset.place
  form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  form.requestSubmit()
})
