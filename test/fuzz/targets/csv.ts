import { nameOf } from '../../../src/garments/pictures/garment-picture.ts'
import { z } from 'zod'
import { createYieldAfter } from '../../../src/platform/limits/yield-to-event-loop.ts'
import { readTextFile } from '../../../src/platform/csv/decode-text.ts'
import { escapeFormula, unescapeFormula, writeRow } from '../../../src/platform/csv/write-csv.ts'
import { CsvFileError } from '../../../src/platform/csv/read-csv.ts'
import { attributeSchema } from '../../../src/garments/garment-fields.ts'
import { controlCharacters } from '../../../src/platform/http/validation.ts'
import { maxRefusedBytes } from '../../../src/imports/import-errors.ts'
import { openRows, readLines } from '../../../src/imports/read-import-lines.ts'
import { bytesOf, mutateBytes, mutateText } from '../mutate.ts'
import { expectThat, type Target } from '../target.ts'

const policy = {
  settings: { ALLOW_LOCAL_TARGETS: false, OWN_HOSTS: [], PUBLIC_URL: undefined },
  ownOrigin: 'https://service.example',
}

const valid = [
  'uuid,image_url,Brand\r\na,https://a.example/1.jpg,Ann\r\n"b ""x""","https://a.example/2.jpg","two\r\nlines"\r\n',
  '\u{feff}UUID;Image URL;gender\n1;https://a.example/;\n\n;;\n',
  'uuid\timage_url\r1\thttp://127.0.0.1/\r',
]
const pieces = [',', ';', '\t', '"', '""', '\n', '\r\n', '\r', "'", '=', '＝', '+', '-', '@', ' ', 'ä', '😀', '\u0000']
const more = [
  ...pieces,
  'uuid',
  'image_url',
  'https://a.example/',
  '__proto__',
  'constructor',
  'x'.repeat(513),
  '\ud800',
]

/** Maximum number of characters that are read of a row after the turn in which it starts. */
const mostCharacters = 100_000 + 80_000

const refusedSchema = z
  .record(z.string().max(64), z.string())
  .refine((cells) => Object.entries(cells).flat().join('').search(controlCharacters) === -1)
  .refine((cells) => new TextEncoder().encode(JSON.stringify(cells)).length <= maxRefusedBytes)

export const csvTarget: Target = {
  name: 'csv',
  leastInputs: 50_000,
  make(random) {
    const bytes = bytesOf(mutateText(random, valid, more))
    return random.chance(0.2) ? mutateBytes(random, bytes) : bytes
  },
  async run(input) {
    const file = readTextFile(input)
    if ('problem' in file) return
    try {
      const { rows, work, read } = openRows(file.text)
      let [yieldedAt, spent] = [0, 0]
      const yieldAfter = createYieldAfter(async () => {
        expectThat(work.characters - yieldedAt <= mostCharacters, 'yields while it reads')
        yieldedAt = work.characters
        await Promise.resolve()
      })
      for (const { uuid, pictures, attribute, problem } of readLines(rows, { policy, read })) {
        const imageUrl = (pictures ?? []).map(nameOf).sort((a, b) => b.length - a.length)[0] ?? ''
        expectThat(uuid.length <= 128 && imageUrl.length <= 2048 && problem.length <= 500, 'bounds what is stored')
        expectThat(
          [uuid, imageUrl, attribute, problem].every((text) => text.isWellFormed()),
          'stores Unicode',
        )
        // A rejected line keeps its content, so that it can be corrected.
        const schema = problem === '' ? attributeSchema : refusedSchema
        expectThat(schema.safeParse(JSON.parse(attribute)).success, 'stores attributes that can be read')
        await yieldAfter(work.characters - spent)
        spent = work.characters
      }
    } catch (error) {
      if (!(error instanceof CsvFileError)) throw error
      expectThat(error.message.length <= 200, 'refuses a file with a short sentence')
    }
  },
}

/** Finds cells that a spreadsheet would treat as formulas, whichever separator it uses. */
const looksLikeFormula = /(?:^|[,;\t\r\n])[" ]*[=+\-@＝＋－＠]/

export const formulaTarget: Target = {
  name: 'formula',
  leastInputs: 50_000,
  make: (random) => bytesOf(mutateText(random, ['by x;=HYPERLINK("a")', "'=1", ' a', ''], pieces)),
  async run(input) {
    const text = new TextDecoder().decode(input)
    expectThat(unescapeFormula(escapeFormula(text)) === text, 'gives the text back')
    // The comma is our own separator, and is quoted.
    const row = writeRow([text.replaceAll(',', ' ')])
    expectThat(!looksLikeFormula.test(row), 'writes nothing that begins like a formula')
  },
}
