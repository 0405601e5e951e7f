import { Frame, inputAttributes, type FieldProps } from './fields.tsx'

interface ChoiceProps extends FieldProps {
  /** The text of an empty option before the others. */
  readonly empty?: string
  readonly groups: readonly ChoiceGroup[]
  /** Labels of values that need one. */
  readonly names?: Readonly<Record<string, string>>
}

interface ChoiceGroup {
  readonly label: string
  readonly values: readonly string[]
}

/** A select element with groups of values. */
export const Choice = ({ empty, groups, names = {}, ...props }: ChoiceProps) => {
  const current = props.form.values[props.name] ?? ''
  return (
    <Frame {...props}>
      <select {...inputAttributes(props)}>
        {empty !== undefined && <option value="">{empty}</option>}
        {groups
          .filter(({ values }) => values.length > 0)
          .map(({ label, values }) => (
            <optgroup label={label}>
              {values.map((value) => (
                <option value={value} selected={value === current}>
                  {names[value] ?? value}
                </option>
              ))}
            </optgroup>
          ))}
      </select>
    </Frame>
  )
}
