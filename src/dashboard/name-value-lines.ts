import { boundName } from '../bounds/bound-text.ts'

/**
 * Parses a text area with one `Name: value` per line. Repeated names and other lines become problems of `field`, in the
 * format of the API.
 */
export function parseLines(text: string, field: string): { values: Record<string, string>; problems: string[] } {
  const values = new Map<string, string>()
  const problems: string[] = []
  text.split('\n').forEach((line, i) => {
    if (line.trim() === '') return
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim()
    if (name === '') problems.push(`${field}: line ${i + 1} must read "Name: value"`)
    else if (values.has(name)) problems.push(`${field}.${boundName(name)}: is given twice`)
    else values.set(name, line.slice(colon + 1).trim())
  })
  return { values: Object.fromEntries(values), problems }
}

export const toLines = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
