import { readFileSync } from 'node:fs'

/** Matches the constructor, or a public function or method, with its docstring. */
const pattern = /^ *def (__init__|[a-z]\w*)\(((?:(?!\) ->)[^])*)\) -> (.+?):\n\s+"""([^]*?)"""/gm

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Lists the functions and methods of the Python client: signature, return type, description. */
export function pythonMethods(): string[][] {
  const source = readFileSync('src/client/python/garment_tagging/__init__.py', 'utf8')
  return Array.from(source.matchAll(pattern), ([, name = '', parameters = '', result = '', description = '']) => [
    `\`${name === '__init__' ? 'GarmentTagging' : name}(${oneLine(parameters)
      .replace(/^self(?:, )?/, '')
      .replace(/,$/, '')})\``,
    result === 'None' ? '' : `\`${result}\``,
    oneLine(description),
  ])
}
