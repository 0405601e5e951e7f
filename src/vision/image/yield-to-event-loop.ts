/** Gives other requests of the isolate their turn: decoding and tagging hold its only thread. */
export const yieldToEventLoop = async (): Promise<void> => await new Promise((resolve) => setTimeout(resolve, 0))
