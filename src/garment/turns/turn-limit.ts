/** The turns that uploads open. A tenant's other garments wait in its backlog. */
export const uploadTurns = 1

/** How long a message waited in the queue, and how many turns a tenant may have then. */
const turnLimits = [
  { belowMs: 5000, turns: 8 },
  { belowMs: 20_000, turns: 4 },
  { belowMs: 60_000, turns: 2 },
]

/**
 * The turns of a tenant when one of its garments ends, whose message waited for `waitedMs`. With many tenants in the
 * queue each has one, so that a new one is served after one garment of each; a tenant alone keeps all consumers busy.
 */
export const turnLimit = (waitedMs: number | undefined) =>
  waitedMs === undefined ? uploadTurns : (turnLimits.find(({ belowMs }) => waitedMs < belowMs)?.turns ?? 1)
