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
    showState: (words) => show(words, 'hint'),
    showUploaded(uuid, words = 'Uploaded') {
      bar.value = 1
      const link = text('break', fileName, 'a')
      link.href = `/dashboard/garment?uuid=${encodeURIComponent(uuid)}`
      name.replaceWith(link)
      show(words, 'hint')
    },
    showProblem(problem) {
      bar.hidden = true
      show(problem, 'problem')
    },
  }
}

const text = (className, content, element = 'span') =>
  Object.assign(document.createElement(element), { className, textContent: content })
