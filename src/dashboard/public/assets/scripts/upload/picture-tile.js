/** Creates the tile of a chosen picture: an item with a button that selects it. */
export function createTile({ name, preview, file }, { onSelect, onDragStart, onDragEnd }) {
  const item = document.createElement('li')
  const button = document.createElement('button')
  const image = document.createElement('img')
  const url = URL.createObjectURL(preview ?? file)
  Object.assign(image, { alt: '', loading: 'lazy', decoding: 'async', src: url })
  // The browser may be able to send a file that it cannot show.
  image.addEventListener('error', () => (image.hidden = true))
  button.type = 'button'
  button.className = 'plain'
  button.append(image, Object.assign(document.createElement('span'), { textContent: name }))
  item.draggable = true
  item.append(button)
  button.addEventListener('click', onSelect)
  item.addEventListener('dragstart', (event) => {
    onDragStart()
    event.dataTransfer.setData('text/plain', name)
  })
  item.addEventListener('dragend', onDragEnd)
  return { url, item, button }
}

/** Creates a button that asks or answers a question. */
export function createQuestion(text, onClick) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet question' })
  button.textContent = text
  button.addEventListener('click', onClick)
  return button
}
