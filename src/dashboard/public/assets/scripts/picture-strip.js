/* Optional: shows a picture of the strip as the large one. Without scripts, its link opens the picture in full size. */
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
