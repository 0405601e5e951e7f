const { setTimeout: startTimer, Response: RealResponse } = globalThis
const { encode } = TextEncoder.prototype

/** How many characters `act` turns to UTF-8 in each stretch between two timers, bodies of responses included. */
export async function countEncoded(act: () => Promise<void>): Promise<readonly number[]> {
  const turns = [0]
  const count = (text: unknown) => {
    if (typeof text === 'string') turns.push((turns.pop() ?? 0) + text.length)
  }
  TextEncoder.prototype.encode = function encodeCounted(text = '') {
    count(text)
    return encode.call(this, text)
  }
  globalThis.Response = class extends RealResponse {
    constructor(body?: BodyInit | null, init?: ResponseInit) {
      count(body)
      super(body, init)
    }
  }
  globalThis.setTimeout = ((callback: () => void, ms: number) => {
    turns.push(0)
    return startTimer(callback, ms)
  }) as never
  try {
    await act()
  } finally {
    TextEncoder.prototype.encode = encode
    globalThis.Response = RealResponse
    globalThis.setTimeout = startTimer
  }
  return turns
}
