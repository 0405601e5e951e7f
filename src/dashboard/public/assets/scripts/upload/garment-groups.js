/* Shows chosen pictures grouped into garments, which can be corrected by dragging, by buttons or by keys. */
import { announce, stemOf } from '../page-parts.js'
import { isUnanswered, lookUpNumbers, nameOfCode, readCode } from './codes.js'
import { maxPictures } from './decide-borders.js'
import { groupPictures, readName } from './group-files.js'
import { keepGroups, keepPictures, readGroups } from './keep-groups.js'
import { lookAt } from './look-at.js'
import { createQuestion, createTile } from './picture-tile.js'
import { readTime } from './read-time.js'

const full = `A garment has at most ${maxPictures} pictures.`

/** Pictures that are opened at the same time. */
const atOnce = 3

const isPublished = ({ code }) => code === null
const countOf = ({ pictures }) => pictures.filter(isPublished).length

/**
 * Shows the groups in `list`, with the buttons in `toolbar`, and calls `onChange` after each change. `owner` names the
 * shop, and `numbersUrl` answers about stock numbers.
 */
export function createGroups({ list, toolbar, owner, numbersUrl }, onChange) {
  /** Garments with at least one picture each. */
  let garments = []
  /** Garments that are being sent. They are kept in this browser until the service has them. */
  const sending = new Set()
  let selected = null
  let dragged = null
  /** The garment that the camera adds pictures to. */
  let captured = null

  const garmentOf = (picture) => garments.find(({ pictures }) => pictures.includes(picture))
  const codeOf = ({ pictures }) => pictures.find(({ code }) => code !== null)?.code ?? null

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
    void keep()
    onChange()
  }

  const keep = async () =>
    await keepGroups(
      owner,
      [...sending, ...garments].map(({ pictures, uuid, isDoubtful, doubtful = [] }) => ({
        ids: pictures.map(({ id }) => id),
        uuid,
        isDoubtful,
        doubtfulIds: doubtful.map(({ id }) => id),
      })),
    )

  function rowOf(garment, i) {
    garment.row ??= newRow(garment)
    const { row, pictures } = garment
    const code = codeOf(garment)
    row.firstChild.replaceChildren(`Garment ${i + 1}`)
    if (code !== null) row.firstChild.append(describeCode(garment, code))
    row.classList.toggle('doubtful', garment.isDoubtful === true && i > 0)
    if (garment.isDoubtful && i > 0) row.firstChild.append(createQuestion(`Same as garment ${i}?`, () => join(garment)))
    for (const picture of pictures) {
      for (const shown of picture.item.querySelectorAll('.question')) shown.remove()
      if (garment.doubtful?.includes(picture) && picture !== pictures[0])
        picture.item.append(createQuestion('New garment?', () => split(picture)))
      if (!isPublished(picture))
        picture.item.append(
          createQuestion('Use as a picture', () => {
            picture.code = null
            void keepPictures([picture])
            show()
          }),
        )
    }
    row.lastChild.replaceChildren(...pictures.map(({ item }) => item))
    return row
  }

  /** Shows a garment's code, and asks whether pictures of an existing garment are to be added to it. */
  function describeCode(garment, code) {
    const line = document.createElement('span')
    line.className = 'code-of'
    const answer = (text, value) => {
      const button = createQuestion(text, () => {
        code.answer = value
        show()
      })
      button.dataset.unanswered = ''
      return button
    }
    if (isUnanswered(code)) {
      const again = createQuestion('Look it up again', () => void lookUpNumbers(numbersUrl, codes()).then(show))
      again.dataset.unanswered = ''
      line.append(nameOfCode(code), again)
      return line
    }
    if (code.status !== 'garment') {
      const isUnknown = code.status === 'unknown'
      line.textContent = isUnknown ? `${nameOfCode(code)} is no number of this shop` : nameOfCode(code)
      return line
    }
    const image = Object.assign(document.createElement('img'), { alt: '', src: code.thumbnail })
    if (code.thumbnail) line.append(image)
    if (code.answer === undefined)
      line.append(`Add to ${nameOfCode(code)}, ${code.name}?`, answer('Add', 'add'), answer('New garment', 'new'))
    else line.append(code.answer === 'add' ? `Adds to ${nameOfCode(code)}, ${code.name}` : 'New garment')
    return line
  }

  /** Joins a garment with the one before. */
  function join(garment) {
    const before = garments[garments.indexOf(garment) - 1]
    if (before === undefined) return
    if (countOf(before) + countOf(garment) > maxPictures) return announce(full)
    before.doubtful = [...(before.doubtful ?? []), ...(garment.doubtful ?? [])]
    before.pictures.push(...garment.pictures.splice(0))
    show()
    announce(`Joined: ${before.pictures.length} pictures`)
  }

  /** Makes a garment of this picture and those after it. */
  function split(picture) {
    const garment = garmentOf(picture)
    const at = garment.pictures.indexOf(picture)
    if (at === 0) return
    const pictures = garment.pictures.splice(at)
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

  function newPicture({ file, id = crypto.randomUUID(), takenAt = null, preview = null, code = null, colours = null }) {
    const picture = { id, file, name: file.name, takenAt, savedAt: file.lastModified, preview, code, colours }
    const onSelect = () => {
      selected = selected === picture ? null : picture
      show()
    }
    const drag = { onDragStart: () => (dragged = picture), onDragEnd: () => (dragged = null) }
    return Object.assign(picture, createTile(picture, { onSelect, ...drag }))
  }

  /** Moves a picture into a garment. `at` is its index there before the move. */
  function put(picture, garment, at) {
    const from = garmentOf(picture)
    if (from !== garment && countOf(garment) >= maxPictures) return announce(full)
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
    split,
    join: (picture) => join(garmentOf(picture)),
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
    separate() {
      garments = garments.flatMap(({ pictures }) => pictures.map((picture) => ({ pictures: [picture] })))
      show()
    },
    clear() {
      for (const { url } of garments.flatMap(({ pictures }) => pictures)) URL.revokeObjectURL(url)
      garments = []
      show()
    },
  }

  const actionOfKey = {
    arrowleft: 'earlier',
    arrowup: 'earlier',
    arrowright: 'later',
    arrowdown: 'later',
    s: 'split',
    j: 'join',
    delete: 'remove',
    backspace: 'remove',
  }

  list.addEventListener('keydown', (event) => {
    const action = actionOfKey[event.key.toLowerCase()]
    const all = garments.flatMap(({ pictures }) => pictures)
    const picture = all.find(({ button }) => button === event.target)
    if (action === undefined || picture === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    actions[action](picture)
  })

  toolbar.addEventListener('click', ({ target }) => {
    const { action } = target.dataset
    if (action !== undefined) actions[action](selected)
  })

  const codes = () => garments.map(codeOf).filter((code) => code !== null)

  return {
    count: () => garments.filter((garment) => countOf(garment) > 0).length,
    isDragging: () => dragged !== null,
    /** Adds files, grouped by their names, times, codes and likeness. Calls `onLook` after each file. */
    async add(files, onLook) {
      const known = new Set(garments.flatMap(({ pictures }) => pictures.map(({ file }) => fingerprint(file))))
      const chosen = files.filter((file) => !known.has(fingerprint(file)))
      const pictures = Array.from({ length: chosen.length })
      let looked = 0
      const lookNext = async (places) => {
        for (const [i, file] of places) {
          const [takenAt, look] = await Promise.all([readTime(file), lookAt(file)])
          const code = look?.code ? readCode(look.code) : null
          pictures[i] = newPicture({ file, takenAt, preview: look?.preview, code, colours: look?.colours })
          onLook(++looked, chosen.length)
        }
      }
      const places = chosen.entries()
      await Promise.all(Array.from({ length: atOnce }, async () => await lookNext(places)))
      await keepPictures(pictures)
      garments.push(...groupPictures(pictures))
      await lookUpNumbers(numbersUrl, codes())
      show()
      return files.length - chosen.length
    },
    /** Shows what an earlier visit has left. Returns the number of garments. */
    async restore() {
      const groups = await readGroups(owner)
      garments = groups.map(({ pictures: kept, doubtfulIds, ...garment }) => {
        const pictures = kept.map(newPicture)
        return { ...garment, pictures, doubtful: pictures.filter(({ id }) => doubtfulIds.includes(id)) }
      })
      await lookUpNumbers(numbersUrl, codes())
      if (garments.length > 0) show()
      return garments.length
    },
    /**
     * Adds a photograph to the captured garment, or starts the next garment with it. A photographed code starts a
     * garment, too.
     */
    async capture(file, isNext) {
      const isOpen = garments.includes(captured) && countOf(captured) < maxPictures
      if (isNext || !isOpen) garments.push((captured = { pictures: [] }))
      const picture = newPicture({ file })
      captured.pictures.push(picture)
      show()
      const [takenAt, look] = await Promise.all([readTime(file), lookAt(file)])
      const code = look?.code ? readCode(look.code) : null
      Object.assign(picture, { takenAt, code, colours: look?.colours ?? null })
      await keepPictures([picture])
      const garment = garmentOf(picture)
      if (code === null || garment === undefined) return
      split(picture)
      if (captured === garment) captured = garmentOf(picture)
      await lookUpNumbers(numbersUrl, codes())
      show()
    },
    /** Looks up numbers that could not be looked up before. Returns the first unanswered question, or null. */
    async findQuestion() {
      await lookUpNumbers(numbersUrl, codes())
      show()
      return list.querySelector('[data-unanswered]')
    },
    /**
     * Removes all garments from the page and returns them, each with its `files`, their common `name`, its `uuid`, the
     * URL of a `preview` and its `code`. `forget` is called once the service has the garment.
     */
    take() {
      const taken = garments
        .filter((garment) => countOf(garment) > 0)
        .map((garment) => {
          const published = garment.pictures.filter(isPublished)
          const names = new Set(published.map(({ name }) => readName(name).name))
          const [first = ''] = published.length > 1 && names.size === 1 ? names : [stemOf(published[0].name)]
          // Chosen once per garment, so that a repeated upload is not stored twice.
          garment.uuid ??= crypto.randomUUID()
          sending.add(garment)
          const forget = () => {
            sending.delete(garment)
            void keep()
          }
          const { uuid } = garment
          const files = published.map(({ file }) => file)
          return { files, name: first, uuid, preview: published[0].url, code: codeOf(garment), forget }
        })
      garments = []
      captured = null
      show()
      return taken
    },
  }
}

/** Identifies a file that was chosen twice. */
const fingerprint = ({ name, size, lastModified }) => `${name}/${size}/${lastModified}`
