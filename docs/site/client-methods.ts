import { readFileSync } from 'node:fs'

/** Matches a comment followed by `async name(…) {` or `name: async (…) =>`. */
const pattern =
  /(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\s+)?(?:async (\*?)|(?=\w+: async ))(\w+)(?:: async )?\(([^)]*)\)(?:: ([^]*?))? (?:\{|=>)\n? /g

const plainType = (type: string) =>
  type
    .replaceAll(/\bT\./g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', String.raw`\|`)

/** Lists the client methods in a function of `src/client`: signature, return type, description. */
export function clientMethods(file: string, factory: string): string[][] {
  const source = readFileSync(`src/client/${file}.ts`, 'utf8').split(/^export function /m)
  const body = source.find((part) => part.startsWith(`${factory}(`)) ?? ''
  return Array.from(body.matchAll(pattern), ([, comment = '', star, name = '', args = '', result]) => [
    `\`${name}(${splitArguments(args).flatMap(argumentText).join(', ')})\``,
    answerText(result, star === '*'),
    comment
      .replaceAll(/\s*\n\s*\*? ?/g, ' ')
      .replace(/^\*/, '')
      .trim(),
  ])
}

/** Splits at commas outside brackets. */
function splitArguments(args: string): string[] {
  const parts = ['']
  let depth = 0
  for (const character of args) {
    if (character === '{' || character === '<') depth++
    if (character === '}' || character === '>') depth--
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** Returns no text for `signal` and `call`, which every method accepts. */
function argumentText(argument: string): string[] {
  const isOptional = argument.endsWith('= {}')
  const [, rest, type = ''] = /^\{.*\.\.\.(\w+) \}: (.*?)(?: = \{\})?$/s.exec(argument) ?? []
  if (rest !== undefined && rest !== 'call') return [`${rest}${isOptional ? '?' : ''}: ${plainType(type)}`]
  const [, names] = /^\{(.*?)\}:/s.exec(argument) ?? []
  if (names === undefined) {
    const [name = '', ...type] = argument.replace(/ = \{\}$/, '').split(': ')
    return name === 'call?' ? [] : [`${name}${isOptional ? '?' : ''}: ${plainType(type.join(': '))}`]
  }
  const shown = splitArguments(names)
    .map((name) => name.replace(/ = .*/, ''))
    .filter((name) => name !== 'signal' && name !== '...call')
  return shown.length === 0 ? [] : [`{ ${shown.join(', ')} }${isOptional ? '?' : ''}`]
}

function answerText(result: string | undefined, isGenerator: boolean): string {
  const type = /^(?:Promise|AsyncGenerator)<([^]*)>$/.exec(result?.trim() ?? '')?.[1] ?? ''
  const text = type === '' || type === 'void' ? '' : `\`${plainType(type)}\``
  return isGenerator ? `${text === '' ? 'entries' : text}, one after another` : text
}
