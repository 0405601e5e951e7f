import { Frame, inputAttributes, type FieldProps } from '../parts/fields.tsx'

export interface ChoiceGroup {
  readonly label: string
  readonly values: readonly string[]
}

/** A list of values in groups, with an empty choice before them. */
export const Choice = ({ empty, groups, ...props }: FieldProps & { empty: string; groups: readonly ChoiceGroup[] }) => {
  const current = props.form.values[props.name] ?? ''
  return (
    <Frame {...props}>
      <select {...inputAttributes(props)}>
        <option value="">{empty}</option>
        {groups
          .filter(({ values }) => values.length > 0)
          .map(({ label, values }) => (
            <optgroup label={label}>
              {values.map((value) => (
                <option value={value} selected={value === current}>
                  {value}
                </option>
              ))}
            </optgroup>
          ))}
      </select>
    </Frame>
  )
}
