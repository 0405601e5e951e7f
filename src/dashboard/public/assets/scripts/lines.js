/*
 * Optional: moves the ends of measuring lines by mouse, touch and keyboard. Without scripts, lines are entered as
 * numbers.
 */
import { announce, enableScriptedParts } from './page-parts.js'

const figureOf = (node) => node.closest('[data-lines]')
const inputOf = (figure, name) => figure.querySelector(`input[name="lines.${CSS.escape(name)}"]`)
const svgOf = (figure) => figure.querySelector('.overlay svg')
const sizeOf = (figure) => [svgOf(figure).viewBox.baseVal.width, svgOf(figure).viewBox.baseVal.height]

function pointsOf(figure, name) {
  const numbers = (inputOf(figure, name).value.match(/-?\d+(\.\d+)?/g) ?? []).map(Number)
  return numbers.length === 4 ? numbers : null
}

/*
 * Returns the length in centimetres, rounded to 0.5. With a card, the scale is a projection. Otherwise it is one
 * number.
 */
function lengthOf(figure, [x, y, toX, toY]) {
  const scale = JSON.parse(figure.dataset.scale)
  if (typeof scale === 'number') return Math.round(Math.hypot(toX - x, toY - y) * scale * 2) / 2
  const [a, b, c, d, e, f, g, h] = scale
  const project = (u, v) => {
    const w = g * u + h * v + 1
    return w > 0 ? [(a * u + b * v + c) / w, (d * u + e * v + f) / w] : [NaN, NaN]
  }
  const [from, to] = [project(x, y), project(toX, toY)]
  return Math.round(Math.hypot(to[0] - from[0], to[1] - from[1]) * 2) / 2
}

const lengthText = (cm) => (cm > 0 ? `${cm.toFixed(1)} cm` : 'no length')

function show(figure, name) {
  const points = pointsOf(figure, name)
  const find = (attribute) => figure.querySelector(`[data-${attribute}="${CSS.escape(name)}"]`)
  const parts = [...figure.querySelectorAll(`[data-line="${CSS.escape(name)}"]`)]
  for (const part of [...parts, find('label')]) part.setAttribute('display', points === null ? 'none' : 'inline')
  find('draw').hidden = points !== null
  find('take-out').hidden = points === null
  const cm = points === null ? 0 : lengthOf(figure, points)
  find('length').textContent = points === null ? 'not measured' : lengthText(cm)
  if (points === null) return
  const [x, y, toX, toY] = points
  for (const line of parts.flatMap((part) => [...part.querySelectorAll('line')]))
    for (const [key, value] of Object.entries({ x1: x, y1: y, x2: toX, y2: toY })) line.setAttribute(key, value)
  for (const end of parts.flatMap((part) => [...part.querySelectorAll('[data-end]')])) {
    const at = points.slice(end.dataset.end * 2, end.dataset.end * 2 + 2)
    end.setAttribute('transform', `translate(${at.join(' ')})`)
    end.setAttribute('aria-valuenow', cm > 0 ? cm : 0)
    end.setAttribute('aria-valuetext', `${lengthText(cm)}, at ${at.join(', ')}`)
  }
  find('label').textContent = `${name} ${lengthText(cm)}`
  placeLabels(figure)
}

const labelShares = [0.5, 0.35, 0.65, 0.2, 0.8]

const isShown = (part) => part.closest('[display="none"]') === null

/*
 * Places the labels inside the picture without covering each other or the handles. Tries positions on the line first,
 * then widening rings around its middle. The server does the same with estimated letter widths.
 */
function placeLabels(figure) {
  const [width, height] = sizeOf(figure)
  const taken = [...svgOf(figure).querySelectorAll('.end')].filter(isShown).map((end) => {
    const { e: x, f: y } = end.parentNode.transform.baseVal.getItem(0).matrix
    return { x, y, halfWidth: end.r.baseVal.value, halfHeight: end.r.baseVal.value }
  })
  for (const label of [...figure.querySelectorAll('[data-label]')].filter(isShown)) {
    const points = pointsOf(figure, label.dataset.label)
    if (points === null) continue
    const [x, y, toX, toY] = points
    const box = label.getBBox()
    // The text's box does not include the rim.
    const rim = 0.3 * Number(label.parentNode.getAttribute('font-size'))
    const [halfWidth, halfHeight] = [box.width / 2 + rim, box.height / 2 + rim]
    const within = (value, half, edge) => Math.max(half, Math.min(edge - half, value))
    const fit = (atX, atY) => ({ x: within(atX, halfWidth, width), y: within(atY, halfHeight, height) })
    const isFree = (at) =>
      taken.every(
        (other) =>
          Math.abs(at.x - other.x) >= halfWidth + other.halfWidth ||
          Math.abs(at.y - other.y) >= halfHeight + other.halfHeight,
      )
    const onLine = labelShares.map((share) => fit(x + (toX - x) * share, y + (toY - y) * share))
    const around = Array.from({ length: 144 }, (_, index) => {
      const [ring, turn] = [Math.floor(index / 12) + 1, ((index % 12) / 6 + 0.5) * Math.PI]
      const [byX, byY] = [Math.cos(turn) * ring * 0.6 * halfWidth, Math.sin(turn) * ring * 1.2 * halfHeight]
      return fit(onLine[0].x + byX, onLine[0].y + byY)
    })
    const at = [...onLine, ...around].find(isFree) ?? onLine[0]
    label.setAttribute('x', at.x)
    label.setAttribute('y', at.y)
    taken.push({ ...at, halfWidth, halfHeight })
  }
}

function place(figure, name, points) {
  const [width, height] = sizeOf(figure)
  const within = (value, edge) => Math.round(Math.min(edge - 1, Math.max(0, value)))
  const numbers = points.map((value, index) => within(value, index % 2 === 0 ? width : height))
  inputOf(figure, name).value = numbers.join(', ')
  show(figure, name)
  noteMove(figure, name)
}

function moveEnd(figure, name, end, [x, y]) {
  const points = pointsOf(figure, name)
  points.splice(end * 2, 2, x, y)
  place(figure, name, points)
}

function noteMove(figure, name) {
  inputOf(figure, name).dispatchEvent(new Event('input', { bubbles: true }))
  const saved = figure.querySelector('[data-saved]')
  if (saved !== null) saved.textContent = ''
}

function takeOut(figure, name) {
  inputOf(figure, name).value = ''
  show(figure, name)
  noteMove(figure, name)
  figure.querySelector(`[data-draw="${CSS.escape(name)}"]`).focus()
}

/* Adds a line across the middle. Pressing elsewhere in the picture starts the line there. */
function draw(figure, name) {
  figure.querySelector('#show-lines').checked = true
  const [width, height] = sizeOf(figure)
  place(figure, name, [width * 0.3, height / 2, width * 0.7, height / 2])
  svgOf(figure).dataset.drawing = name
  figure.querySelector(`[data-line="${CSS.escape(name)}"] [data-end]`).focus()
  announce(`${name}: move both ends, or press and drag from end to end`)
}

let dragged = null

function placeOf(figure, event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svgOf(figure).getScreenCTM().inverse())
  return [x, y]
}

document.addEventListener('pointerdown', (event) => {
  const figure = event.target.closest?.('[data-lines] .overlay') ? figureOf(event.target) : null
  if (figure === null || !event.isPrimary || event.button !== 0) return
  const svg = svgOf(figure)
  const handle = event.target.closest('[data-end]')
  const at = placeOf(figure, event)
  const { drawing } = svg.dataset
  if (handle === null && drawing === undefined) return
  event.preventDefault()
  svg.setPointerCapture(event.pointerId)
  if (handle === null) place(figure, drawing, [...at, ...at])
  const name = handle === null ? drawing : handle.parentNode.dataset.line
  dragged = { figure, name, end: handle === null ? 1 : Number(handle.dataset.end) }
  handle?.focus()
})

document.addEventListener('pointermove', (event) => {
  if (dragged !== null) moveEnd(dragged.figure, dragged.name, dragged.end, placeOf(dragged.figure, event))
})

for (const type of ['pointerup', 'pointercancel'])
  document.addEventListener(type, () => {
    if (dragged === null) return
    const { figure, name } = dragged
    dragged = null
    delete svgOf(figure).dataset.drawing
    announce(`${name} ${figure.querySelector(`[data-length="${CSS.escape(name)}"]`).textContent}`)
  })

document.addEventListener('click', (event) => {
  const { draw: drawn, takeOut: taken } = event.target.closest('button')?.dataset ?? {}
  if (drawn !== undefined) draw(figureOf(event.target), drawn)
  if (taken !== undefined) takeOut(figureOf(event.target), taken)
})

document.addEventListener('change', (event) => {
  const figure = figureOf(event.target)
  const [, name] = /^lines\.(.+)$/.exec(event.target.name ?? '') ?? []
  if (figure !== null && name !== undefined) show(figure, name)
})

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

// Captures keys before the page's own shortcuts.
document.addEventListener(
  'keydown',
  (event) => {
    const handle = event.target.closest?.('[data-end]')
    if (!handle || event.ctrlKey || event.metaKey || event.altKey) return
    const figure = figureOf(handle)
    const name = handle.parentNode.dataset.line
    const direction = directions[event.key]
    if (direction !== undefined) {
      const step = Math.max(1, Math.round(Math.max(...sizeOf(figure)) / 500)) * (event.shiftKey ? 10 : 1)
      const end = Number(handle.dataset.end)
      const at = pointsOf(figure, name).slice(end * 2, end * 2 + 2)
      moveEnd(figure, name, end, [at[0] + direction[0] * step, at[1] + direction[1] * step])
    } else if (event.key === 'Delete' || event.key === 'Backspace') takeOut(figure, name)
    else if (event.key === 'Enter') inputOf(figure, name).form.requestSubmit()
    else return
    event.preventDefault()
    event.stopPropagation()
  },
  { capture: true },
)

/* In the review, lines are saved without leaving the garment. */
document.addEventListener('submit', (event) => {
  const form = event.target
  if (form.dataset.lineForm === undefined || form.closest('#review') === null) return
  event.preventDefault()
  const body = new URLSearchParams(new FormData(form))
  void fetch(form.action, { method: 'POST', headers: { Accept: 'application/json' }, body })
    .then((response) => {
      if (response.status !== 204) throw new Error(`The lines were answered by ${response.status}`)
      const lines = [...body].filter(([name]) => name.startsWith('lines.'))
      form.elements.namedItem('opened').value = new URLSearchParams(lines).toString()
      form.querySelector('[data-saved]').textContent = 'Saved'
      delete form.dataset.edited
    })
    // The browser submits the form, so that the page shows the problem.
    .catch(() => form.submit())
    .finally(() => delete form.dataset.sent)
})

for (const figure of document.querySelectorAll('[data-lines]')) enableScriptedParts(figure)
