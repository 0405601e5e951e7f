import type { Random } from '../../training/flat-lay/random.ts'
import { concat } from '../fixtures/pictures/hostile/damage.ts'

/** Numbers that often break lengths, counts and sizes. */
const edgeNumbers = [0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0xffffffff]

const below = (random: Random, count: number) => Math.floor(random.next() * count)

/** Returns a random part of the bytes, usually a short one. */
function slice(random: Random, bytes: Uint8Array): readonly [from: number, to: number] {
  const from = below(random, bytes.length + 1)
  const length = Math.floor(random.next() ** 3 * (bytes.length - from + 1))
  return [from, from + length]
}

function changeNumber(random: Random, bytes: Uint8Array): Uint8Array {
  const changed = bytes.slice()
  const size = random.pick([1, 2, 4] as const)
  if (changed.length < size) return changed
  const view = new DataView(changed.buffer)
  const at = below(random, changed.length - size + 1)
  const value = random.chance(0.5) ? random.pick(edgeNumbers) : view.getUint8(at) + random.pick([-1, 1])
  const littleEndian = random.chance(0.5)
  if (size === 1) view.setUint8(at, value)
  else if (size === 2) view.setUint16(at, value, littleEndian)
  else view.setUint32(at, value, littleEndian)
  return changed
}

const changes: readonly ((random: Random, bytes: Uint8Array) => Uint8Array)[] = [
  changeNumber,
  changeNumber,
  (random, bytes) => bytes.map((byte) => (random.chance(2 / bytes.length) ? byte ^ (1 << below(random, 8)) : byte)),
  (random, bytes) => bytes.slice(0, below(random, bytes.length + 1)),
  function remove(random, bytes) {
    const [from, to] = slice(random, bytes)
    return concat(bytes.subarray(0, from), bytes.subarray(to))
  },
  function repeatSome(random, bytes) {
    const [from, to] = slice(random, bytes)
    return concat(bytes.subarray(0, to), bytes.subarray(from))
  },
  function randomise(random, bytes) {
    const [from, to] = slice(random, bytes)
    return bytes.map((byte, at) => (at >= from && at < to ? below(random, 256) : byte))
  },
  function insert(random, bytes) {
    const at = below(random, bytes.length + 1)
    const added = Uint8Array.from({ length: below(random, 16) }, () => below(random, 256))
    return concat(bytes.subarray(0, at), added, bytes.subarray(at))
  },
]

/** Applies one to four random changes to the bytes. */
export function mutateBytes(random: Random, bytes: Uint8Array): Uint8Array {
  let changed = bytes
  for (let count = 1 + below(random, 4); count > 0; count--) changed = random.pick(changes)(random, changed)
  return changed
}

/** Moves, repeats, removes or changes whole parts of a format. */
export function mutateParts(random: Random, parts: readonly Uint8Array[]): Uint8Array[] {
  const changed = [...parts]
  for (let count = 1 + below(random, 3); count > 0 && changed.length > 0; count--) {
    const at = below(random, changed.length)
    const [part = new Uint8Array()] = changed.splice(at, 1)
    const action = random.pick(['remove', 'move', 'repeat', 'change', 'change'] as const)
    const to = below(random, changed.length + 1)
    if (action === 'move') changed.splice(to, 0, part)
    if (action === 'repeat') changed.splice(at, 0, ...Array<Uint8Array>(1 + below(random, 50)).fill(part))
    if (action === 'change') changed.splice(at, 0, mutateBytes(random, part))
  }
  return changed
}

/** Number of characters above every text limit. */
const maxRepeated = 50_000

/** Builds text from pieces with a meaning to the parser and one of the valid texts. */
export function mutateText(random: Random, valid: readonly string[], pieces: readonly string[]): string {
  let text = random.pick(valid)
  for (let count = below(random, 6); count > 0; count--) {
    const from = below(random, text.length + 1)
    const to = random.chance(0.5) ? from : Math.min(text.length, from + below(random, 10))
    const piece = random.pick(pieces)
    const times = random.chance(0.05) ? below(random, maxRepeated / Math.max(1, piece.length)) : 1
    text = text.slice(0, from) + piece.repeat(times) + text.slice(to)
  }
  return text
}

const encoder = new TextEncoder()

export const bytesOf = (text: string): Uint8Array => encoder.encode(text)
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
