/** The first `count` bytes of a stream, or all if there are fewer, and a stream that still begins with them. */
export async function peek(stream: ReadableStream<Uint8Array>, count: number) {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < count) {
    const { value, done } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  const start = Uint8Array.from(chunks.flatMap((chunk) => [...chunk.subarray(0, count)])).subarray(0, count)
  const whole = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
    },
    async pull(controller) {
      const { value, done } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async (reason) => await reader.cancel(reason),
  })
  return { start, whole }
}
