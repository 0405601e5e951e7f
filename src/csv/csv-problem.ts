interface Max {
  readonly max: number
}

/** What is wrong with a row. Codes are stored, so they never change. */
export const csvSentences = {
  quote_not_closed: ({ max }: Max) => `A quote is not closed within ${max} characters.`,
  text_after_quote: () => 'There is text after a closing quote.',
  row_too_long: ({ max }: Max) => `The row has more than ${max} characters.`,
  too_many_cells: ({ max }: Max) => `The row has more than ${max} cells.`,
  other_number_of_cells: ({ cells, columns }: { readonly cells: number; readonly columns: number }) =>
    `There are ${cells} cells, but ${columns} columns.`,
}

export interface CsvProblem {
  readonly code: keyof typeof csvSentences
  readonly params: Readonly<Record<string, number>>
}

export const csvSentence = ({ code, params }: CsvProblem) => (csvSentences[code] as (params: object) => string)(params)
