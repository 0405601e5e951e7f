/* Shows chosen pictures grouped into garments, which can be corrected by dragging, by buttons or by keys. */
import { announce, stemOf } from '../page-parts.js'
import { findUnclear, maxPictures } from './decide-borders.js'
import { groupPictures, inTakenOrder, readName } from './group-files.js'
import { likenessOf, readColours } from './likeness.js'
import { readTime } from './read-time.js'

const full = `A garment has at most ${maxPictures} pictures.`

/** Shows the groups in `list`, with the buttons in `toolbar`, and calls `onChange` after each change. */
export function createGroups({ list, toolbar }, onChange) {
  /** Garments with at least one picture each. */
  let garments = []
  let selected = null
  let dragged = null
  /** The garment that the camera adds pictures to. */
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
    row.firstChild.replaceChildren(`Garment ${i + 1}`)
    row.classList.toggle('doubtful', garment.isDoubtful === true && i > 0)
    if (garment.isDoubtful && i > 0)
      row.firstChild.append(question(`Same as garment ${i}?`, () => join(garment, garments[i - 1])))
    for (const picture of pictures) {
      picture.item.querySelector('.question')?.remove()
      if (garment.doubtful?.includes(picture) && picture !== pictures[0])
        picture.item.append(question('New garment?', () => split(garment, picture)))
    }
    row.lastChild.replaceChildren(...pictures.map(({ item }) => item))
    return row
  }

  /** Joins a garment with the one before. */
  function join(garment, before) {
    if (before.pictures.length + garment.pictures.length > maxPictures) return announce(full)
    before.pictures.push(...garment.pictures.splice(0))
    show()
    announce(`Joined: ${before.pictures.length} pictures`)
  }

  /** Makes a garment of this picture and those after it. */
  function split(garment, picture) {
    const pictures = garment.pictures.splice(garment.pictures.indexOf(picture))
    garments.splice(garments.indexOf(garment) + 1, 0, { pictures, doubtful: garment.doubtful })
    show()
    say(picture)
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
    // The browser may be able to send a file that it cannot show.
    image.addEventListener('error', () => (image.hidden = true))
    button.type = 'button'
    button.className = 'plain'
    button.append(image, Object.assign(document.createElement('span'), { textContent: file.name }))
    item.draggable = true
    item.append(button)
    const picture = { file, name: file.name, takenAt, savedAt: file.lastModified, url, item, button }
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

  /** Moves a picture into a garment. `at` is its index there before the move. */
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
    /** Adds files, grouped by their names, times and likeness. */
    async add(files) {
      const pictures = []
      for (const file of files) pictures.push(newPicture(file, await readTime(file)))
      for (const [before, picture] of findUnclear(inTakenOrder(pictures)))
        picture.likeness = likenessOf(await coloursOf(before), await coloursOf(picture))
      garments.push(...groupPictures(pictures))
      show()
    },
    /** Adds a photograph to the captured garment, or starts the next garment with it. */
    capture(file, isNext) {
      const isOpen = garments.includes(captured) && captured.pictures.length < maxPictures
      if (isNext || !isOpen) garments.push((captured = { pictures: [] }))
      captured.pictures.push(newPicture(file, null))
      show()
    },
    /** Removes all garments from the page and returns them, each with its `files` and their common `name`. */
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

/** A button that asks about a doubtful border. */
function question(text, onClick) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet question' })
  button.textContent = text
  button.addEventListener('click', onClick)
  return button
}

/** Reads a picture's colours once. */
const coloursOf = (picture) => (picture.colours ??= readColours(picture.file))
