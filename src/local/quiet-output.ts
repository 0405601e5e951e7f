/** Lines of `wrangler dev` that do not help users of the service: its own actions, and advice about itself. */
const noise = [
  /^⛅️? ?wrangler |^─+$/u,
  /Running: node src\/local\/prepare\.ts$/,
  /^\[custom build\]$/,
  /^Using secrets defined in /,
  /types might be out of date/,
  // Locally, the first request starts the sweepers.
  /Scheduled Workers are not automatically triggered/,
  /^To manually trigger a scheduled event/,
  /\/scheduled"$/,
  /\/configuration\/cron-triggers\//,
  /Starting local server\.\.\.$/,
  /Parsed \d+ valid header rules?\.$/,
  /Connection status updated$/,
]

/** Groups of output lines without use. A group ends at the first line that does not match `next`. */
const blocks = [
  { first: /^Your Worker has access to the following bindings/, next: /^(Binding |env\.)/ },
  { first: /Unable to fetch the `Request\.cf` object/, next: /^(Error: getaddrinfo|at )/ },
]

// oxlint-disable-next-line no-control-regex
const colours = /\u001b\[[\d;]*m/g

/** Returns a filter for lines of output, to be called in their order. It returns false for noise and empty lines. */
export function createQuietFilter(): (line: string) => boolean {
  let block: (typeof blocks)[number] | undefined
  return (line) => {
    const text = line.replaceAll(colours, '').trim()
    if (block?.next.test(text) === true) return false
    block = blocks.find(({ first }) => first.test(text))
    return block === undefined && text !== '' && !noise.some((pattern) => pattern.test(text))
  }
}

/** Returns the sentences in a line with which the Worker rejects its settings. */
export const findSettingsProblems = (line: string): readonly string[] =>
  line.match(/Bad settings: .*? lists all settings\./g) ?? []
