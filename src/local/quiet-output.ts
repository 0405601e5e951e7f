/** Lines of `wrangler dev` that say nothing to a user of the service: what it does by itself, and advice on itself. */
const noise = [
  /^⛅️? ?wrangler |^─+$/u,
  /Running: node src\/local\/prepare\.ts$/,
  /^\[custom build\]$/,
  /^Using secrets defined in /,
  /types might be out of date/,
  // The first request wakes the sweepers instead.
  /Scheduled Workers are not automatically triggered/,
  /^To manually trigger a scheduled event/,
  /\/scheduled"$/,
  /\/configuration\/cron-triggers\//,
  /Starting local server\.\.\.$/,
  /Parsed \d+ valid header rules?\.$/,
  /Connection status updated$/,
]

/** They end with an empty line, or with the first line that does not go on with them. */
const blocks = [
  { first: /^Your Worker has access to the following bindings/, next: /^(Binding |env\.)/ },
  { first: /Unable to fetch the `Request\.cf` object/, next: /^(Error: getaddrinfo|at )/ },
]

// oxlint-disable-next-line no-control-regex
const colours = /\u001b\[[\d;]*m/g

/** Tells of each line of output, in their order, whether it is worth showing. Empty lines are not. */
export function createQuietFilter(): (line: string) => boolean {
  let block: (typeof blocks)[number] | undefined
  return (line) => {
    const text = line.replaceAll(colours, '').trim()
    if (block?.next.test(text) === true) return false
    block = blocks.find(({ first }) => first.test(text))
    return block === undefined && text !== '' && !noise.some((pattern) => pattern.test(text))
  }
}
