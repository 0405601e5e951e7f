import { Frame, inputAttributes, type FieldProps } from './fields.tsx'

interface ChoiceProps extends FieldProps {
  /** The text of an empty option before the others. */
  readonly empty?: string
  /** One group, which has the field's label. */
  readonly values?: readonly string[]
  readonly groups?: readonly ChoiceGroup[]
  /** Labels of values that need one. */
  readonly names?: Readonly<Record<string, string>>
}

interface ChoiceGroup {
  readonly label: string
  readonly values: readonly string[]
}

/** A select element with groups of values. */
export const Choice = ({ empty, values = [], groups, names = {}, ...props }: ChoiceProps) => {
  const current = props.form.values[props.name] ?? ''
  return (
    <Frame {...props}>
      <select {...inputAttributes(props)}>
        {empty !== undefined && <option value="">{empty}</option>}
        {(groups ?? [{ label: props.label, values }])
          .filter((group) => group.values.length > 0)
          .map((group) => (
            <optgroup label={group.label}>
              {group.values.map((value) => (
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
