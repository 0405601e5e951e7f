/* The pictures that were chosen, grouped into garments, which are put right by dragging, by buttons or by keys. */
import { announce, stemOf } from '../page-parts.js'
import { groupPictures, maxPictures, readName } from './group-files.js'
import { readTime } from './read-time.js'

const full = `A garment has at most ${maxPictures} pictures.`

/** Shows the groups in `list`, with the buttons in `toolbar`, and calls `onChange` after each change. */
export function createGroups({ list, toolbar }, onChange) {
  /** Each with its `pictures`, of which none is without any. */
  let garments = []
  let selected = null
  let dragged = null
  /** What the camera takes more pictures of. */
  let captured = null

  const garmentOf = (picture) => garments.find(({ pictures }) => pictures.includes(picture))

  function show() {
    garments = garments.filter(({ pictures }) => pictures.length > 0)
    const focused = document.activeElement
    list.replaceChildren(...garments.map((garment, i) => rowOf(garment, i)))
    list.hidden = garments.length === 0
    if (selected !== null && garmentOf(selected) === undefined) selected = null
    for (const garment of garments)
      for (const picture of garment.pictures) picture.button.setAttribute('aria-pressed', String(picture === selected))
    toolbar.hidden = garments.length === 0
    for (const button of toolbar.querySelectorAll('[data-needs-picture]')) button.disabled = selected === null
    if (list.contains(focused) || toolbar.contains(focused)) focused.focus()
    onChange()
  }

  function rowOf(garment, i) {
    garment.row ??= newRow(garment)
    const { row, pictures } = garment
    row.firstChild.textContent = `Garment ${i + 1}`
    row.lastChild.replaceChildren(...pictures.map(({ item }) => item))
    return row
  }

  function newRow(garment) {
    const row = document.createElement('li')
    const pictures = document.createElement('ol')
    row.append(document.createElement('h3'), pictures)
    row.addEventListener('dragover', (event) => {
      if (dragged === null) return
      event.preventDefault()
      event.stopPropagation()
    })
    row.addEventListener('drop', (event) => {
      if (dragged === null) return
      event.preventDefault()
      event.stopPropagation()
      const at = garment.pictures.findIndex(({ item }) => item.contains(event.target))
      put(dragged, garment, at === -1 ? garment.pictures.length : at)
    })
    return row
  }

  function newPicture(file, takenAt) {
    const item = document.createElement('li')
    const button = document.createElement('button')
    const image = document.createElement('img')
    const url = URL.createObjectURL(file)
    Object.assign(image, { alt: '', loading: 'lazy', decoding: 'async', src: url })
    // The browser cannot show it, but may be able to send it.
    image.addEventListener('error', () => (image.hidden = true))
    button.type = 'button'
    button.className = 'plain'
    button.append(image, Object.assign(document.createElement('span'), { textContent: file.name }))
    item.draggable = true
    item.append(button)
    const picture = { file, name: file.name, takenAt, url, item, button }
    button.addEventListener('click', () => {
      selected = selected === picture ? null : picture
      show()
    })
    item.addEventListener('dragstart', (event) => {
      dragged = picture
      event.dataTransfer.setData('text/plain', file.name)
    })
    item.addEventListener('dragend', () => (dragged = null))
    return picture
  }

  /** Moves a picture into a garment, to a place that is counted as it was before. */
  function put(picture, garment, at) {
    const from = garmentOf(picture)
    if (from !== garment && garment.pictures.length >= maxPictures) return announce(full)
    const before = from.pictures.indexOf(picture)
    from.pictures.splice(before, 1)
    garment.pictures.splice(from === garment && before < at ? at - 1 : at, 0, picture)
    show()
    say(picture)
  }

  function say(picture) {
    const { pictures } = garmentOf(picture)
    const place = `picture ${pictures.indexOf(picture) + 1} of ${pictures.length}`
    announce(`${picture.name}: garment ${garments.indexOf(garmentOf(picture)) + 1}, ${place}`)
  }

  const actions = {
    earlier(picture) {
      const garment = garmentOf(picture)
      const at = garment.pictures.indexOf(picture)
      const before = garments[garments.indexOf(garment) - 1]
      if (at > 0) put(picture, garment, at - 1)
      else if (before !== undefined) put(picture, before, before.pictures.length)
    },
    later(picture) {
      const garment = garmentOf(picture)
      const at = garment.pictures.indexOf(picture)
      const next = garments[garments.indexOf(garment) + 1]
      if (at < garment.pictures.length - 1) put(picture, garment, at + 2)
      else if (next !== undefined) put(picture, next, 0)
    },
    alone(picture) {
      const garment = garmentOf(picture)
      if (garment.pictures.length === 1) return
      const own = { pictures: [] }
      garments.splice(garments.indexOf(garment) + 1, 0, own)
      put(picture, own, 0)
    },
    remove(picture) {
      const all = garments.flatMap(({ pictures }) => pictures)
      const next = all[all.indexOf(picture) + 1] ?? all[all.indexOf(picture) - 1]
      const garment = garmentOf(picture)
      garment.pictures.splice(garment.pictures.indexOf(picture), 1)
      URL.revokeObjectURL(picture.url)
      show()
      next?.button.focus()
      announce(`${picture.name} is left out`)
    },
  }

  const actionOfKey = {
    ArrowLeft: 'earlier',
    ArrowUp: 'earlier',
    ArrowRight: 'later',
    ArrowDown: 'later',
    n: 'alone',
    N: 'alone',
    Delete: 'remove',
    Backspace: 'remove',
  }

  list.addEventListener('keydown', (event) => {
    const action = actionOfKey[event.key]
    const all = garments.flatMap(({ pictures }) => pictures)
    const picture = all.find(({ button }) => button === event.target)
    if (action === undefined || picture === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    actions[action](picture)
  })

  toolbar.addEventListener('click', ({ target }) => {
    const { action } = target.dataset
    if (action === undefined) return
    if (action !== 'split') return actions[action](selected)
    garments = garments.flatMap(({ pictures }) => pictures.map((picture) => ({ pictures: [picture] })))
    show()
  })

  return {
    count: () => garments.length,
    isDragging: () => dragged !== null,
    /** Adds files, grouped as their names and times say. */
    async add(files) {
      const pictures = []
      for (const file of files) pictures.push(newPicture(file, await readTime(file)))
      garments.push(...groupPictures(pictures).map((group) => ({ pictures: [...group.pictures] })))
      show()
    },
    /** Adds a photograph to the garment that the camera takes, or as the first of the next one. */
    capture(file, isNext) {
      const isOpen = garments.includes(captured) && captured.pictures.length < maxPictures
      if (isNext || !isOpen) garments.push((captured = { pictures: [] }))
      captured.pictures.push(newPicture(file, null))
      show()
    },
    /** Returns the garments, each with its `files` and the `name` that these have in common, and shows none of them. */
    take() {
      const taken = garments.map(({ pictures }) => {
        const names = new Set(pictures.map(({ name }) => readName(name).name))
        const [first = ''] = pictures.length > 1 && names.size === 1 ? names : [stemOf(pictures[0].name)]
        return { files: pictures.map(({ file }) => file), name: first }
      })
      for (const { url } of garments.flatMap(({ pictures }) => pictures)) URL.revokeObjectURL(url)
      garments = []
      captured = null
      show()
      return taken
    },
  }
}
