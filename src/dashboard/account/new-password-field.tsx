import { Field, type FormState } from '../parts/fields.tsx'

interface NewPasswordFieldProps {
  readonly form: FormState
  readonly name?: string
  readonly label: string
}

export const NewPasswordField = ({ form, name = 'password', label }: NewPasswordFieldProps) => (
  <Field
    form={form}
    name={name}
    type="password"
    label={label}
    autocomplete="new-password"
    hint="At least 8 characters."
  />
)
