import type { Child } from 'hono/jsx'
import type { FormValues } from '../form.ts'
import { countGarments } from '../../platform/format-count.ts'

export const withQuery = (path: string, query: Readonly<Record<string, string | undefined>>) => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, value)
  return params.size === 0 ? path : `${path}?${params.toString()}`
}

interface FilterProps<T> {
  readonly label: string
  readonly options: readonly (readonly [value: T, name: string, lang?: string])[]
  readonly current: T
  readonly href: (value: T) => string
}

export const Filter = <T extends string | undefined>({ label, options, current, href }: FilterProps<T>) => (
  <nav class="filter" aria-label={label}>
    {options.map(([value, name, lang]) => (
      <a href={href(value)} lang={lang} aria-current={value === current ? 'page' : undefined}>
        {name}
      </a>
    ))}
  </nav>
)

interface TableProps {
  readonly names: readonly string[]
  /** Adds a column for buttons. Its heading is only for screen readers. */
  readonly hasActions?: boolean
  readonly isOfGarments?: boolean
  readonly caption?: string
  readonly children?: Child
}

export const Table = ({ names, hasActions, isOfGarments, caption, children }: TableProps) => (
  <table class={isOfGarments ? 'garments stack' : 'stack'}>
    {caption !== undefined && <caption class="visually-hidden">{caption}</caption>}
    <thead>
      <tr>
        {names.map((name) => (
          <th scope="col">{name}</th>
        ))}
        {hasActions && (
          <th scope="col">
            <span class="visually-hidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)

interface PagerProps {
  readonly path: string
  readonly query: Readonly<Record<string, string | undefined>>
  readonly isFirst: boolean
  readonly next: string | null
  readonly nextName: string
}

export const Pager = ({ path, query, isFirst, next, nextName }: PagerProps) =>
  isFirst && next === null ? null : (
    <nav class="pager" aria-label="Pages">
      {isFirst ? <span></span> : <a href={withQuery(path, query)}>First page</a>}
      {next !== null && (
        <a class="button plain" href={withQuery(path, { ...query, cursor: next })} rel="next">
          {nextName}
        </a>
      )}
    </nav>
  )

const selectedPrefix = 'select.'

/** Deleting this many garments stays below the platform's 1,000 calls per request. */
const maxSelected = 40

export const selectField = (id: string) => `${selectedPrefix}${id}`

export const selectedIds = (values: FormValues): readonly string[] =>
  Object.keys(values)
    .filter((name) => name.startsWith(selectedPrefix))
    .map((name) => name.slice(selectedPrefix.length))
    .slice(0, maxSelected)

interface SelectBoxProps {
  readonly form: string
  readonly id: string
  readonly name?: string
  readonly disabled?: boolean
}

export const SelectBox = ({ form, id, name = id, disabled = false }: SelectBoxProps) => (
  <input
    type="checkbox"
    form={form}
    name={selectField(id)}
    value="yes"
    aria-label={`Select ${name}`}
    disabled={disabled}
  />
)

export const SelectAll = ({ form }: { form: string }) => (
  <button class="quiet" type="button" data-select-all={form} data-with-scripts="" hidden>
    Select all on this page
  </button>
)

export function oneOf<T extends string>(values: readonly T[], query: FormValues, name: string): T | undefined {
  return values.find((value) => value === query[name])
}

interface CountProps {
  readonly label: string
  /** Path of the page that shows the total. Counting is on request, because it reads many rows. */
  readonly page: string
  readonly source: string
}

export const Count = ({ label, page, source }: CountProps) => (
  <a href={page} data-count={source}>
    {label}
  </a>
)

export function countText(count: number, max: number): string {
  if (count > max) return `more than ${countGarments(max)}`
  return countGarments(count)
}
