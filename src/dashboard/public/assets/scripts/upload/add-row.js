/**
 * Adds a row with a garment's picture, name, progress and state. The name becomes a link once the garment is stored.
 */
export function addRow(list, fileName, previewUrl) {
  const row = document.createElement('li')
  const image = Object.assign(document.createElement('img'), { alt: '', src: previewUrl })
  // The browser cannot show the file, such as one that is no picture.
  image.addEventListener('error', () => image.replaceWith(text('thumbnail none failed', '')))
  const name = text('break', fileName)
  const bar = document.createElement('progress')
  const state = text('hint', 'Waiting')
  bar.max = 1
  bar.value = 0
  bar.setAttribute('aria-label', `Progress of ${fileName}`)
  row.append(image, name, bar, state)
  list.append(row)
  list.hidden = false

  const show = (words, className) => {
    state.textContent = words
    state.className = className
  }
  return {
    showProgress(share) {
      bar.value = share
      show('Uploading', 'hint')
    },
    /** `same` is the garment that has the same picture, or null. */
    showState(words, same = null) {
      show(same === null ? words : `${words}. Same picture as `, 'hint')
      if (same !== null) state.append(link(same.name, same.path))
    },
    showUploaded(uuid, words = 'Uploaded') {
      bar.value = 1
      name.replaceWith(link(fileName, `/dashboard/garment?uuid=${encodeURIComponent(uuid)}`))
      show(words, 'hint')
    },
    showProblem(problem) {
      bar.hidden = true
      show(problem, 'problem')
      // The list scrolls, so problems come first.
      list.prepend(row)
    },
  }
}

const text = (className, textContent) => Object.assign(document.createElement('span'), { className, textContent })

const link = (textContent, href) =>
  Object.assign(document.createElement('a'), { className: 'break', textContent, href })
