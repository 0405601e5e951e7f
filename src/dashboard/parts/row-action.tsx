import { HiddenFields } from './fields.tsx'

interface RowActionProps {
  readonly path: string
  /** The fields that are sent, which name the row. */
  readonly fields: Readonly<Record<string, string>>
  readonly label: string
  /** The rest of its name for screen readers. */
  readonly about: string
  /** Whether it removes something. */
  readonly isBad?: boolean
}

/** The button of a table's row, in a cell of its own. */
export const RowAction = ({ path, fields, label, about, isBad = false }: RowActionProps) => (
  <td class="end">
    <form method="post" action={path}>
      <HiddenFields fields={fields} />
      <button class={isBad ? 'quiet bad' : 'quiet'}>
        {label}
        <span class="visually-hidden"> {about}</span>
      </button>
    </form>
  </td>
)
