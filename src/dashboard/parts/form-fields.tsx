import { type Child, createContext, useContext } from 'hono/jsx'
import type { FormValues, Problems } from '../form.ts'
import { contentTypes } from '../../vision/image/formats.ts'

export interface FormState {
  readonly values: FormValues
  readonly problems?: Problems | undefined
}

/** The form around a field, set by `Form`. */
export const CurrentForm = createContext<FormState>({ values: {} })

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: Child
  readonly optional?: boolean
}

interface InputProps extends FieldProps {
  /** `number` renders a text field, which `readDecimal` parses. */
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date' | 'datetime-local'
  readonly autocomplete?: string
  readonly list?: string
  readonly placeholder?: string
  readonly mono?: boolean
  readonly data?: Readonly<Record<`data-${string}`, string>>
  /** The id of the field's form, if the field stands outside of it. */
  readonly form?: string | undefined
}

export const idOf = (name: string) => `field-${name.replaceAll(/[^\w-]+/g, '-')}`

/** Returns the attributes of an input, including the ids of the hint and problems that describe it. */
function inputAttributes({ name, hint, optional }: FieldProps) {
  const id = idOf(name)
  const isWrong = useContext(CurrentForm).problems?.byField[name] !== undefined
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(isWrong ? [`${id}-problem`] : [])]
  return {
    id,
    name,
    ...(optional ? {} : { required: true }),
    ...(isWrong ? { 'aria-invalid': 'true' as const } : {}),
    ...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') }),
  }
}

const Frame = ({ name, label, hint, optional, children }: FieldProps & { children?: Child }) => {
  const id = idOf(name)
  const problems = useContext(CurrentForm).problems?.byField[name]
  return (
    <div class={problems === undefined ? 'field' : 'field wrong'}>
      <label for={id}>
        {label}
        {optional && <span class="optional"> optional</span>}
      </label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problems !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problems.join(' ')}
        </p>
      )}
      {children}
    </div>
  )
}

export const Field = ({
  type = 'text',
  autocomplete = 'off',
  list,
  placeholder,
  mono,
  data,
  form,
  ...props
}: InputProps) => (
  <Frame {...props}>
    <input
      {...inputAttributes(props)}
      {...{ ...data, form }}
      type={type === 'number' ? 'text' : type}
      value={type === 'password' ? '' : (useContext(CurrentForm).values[props.name] ?? '')}
      autocomplete={autocomplete}
      {...(list === undefined ? {} : { list })}
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(type === 'number' ? { inputmode: 'decimal' as const } : {})}
      {...(mono ? { class: 'mono', spellcheck: false } : {})}
    />
  </Frame>
)

type FileFieldProps = FieldProps & { readonly accept?: string; readonly multiple?: boolean }

/** A file field must be the last field of its form, so that the file can be streamed. */
export const FileField = ({ accept = contentTypes.join(','), multiple, ...props }: FileFieldProps) => (
  <Frame {...props}>
    <input {...inputAttributes(props)} type="file" accept={accept} multiple={multiple} />
  </Frame>
)

type TextAreaProps = FieldProps & { readonly rows?: number; readonly mono?: boolean; readonly placeholder?: string }

export const TextArea = ({ rows = 3, mono, placeholder, ...props }: TextAreaProps) => (
  <Frame {...props}>
    <textarea
      {...inputAttributes(props)}
      {...{ rows, placeholder }}
      {...(mono ? { class: 'mono', spellcheck: false } : {})}
    >
      {/* HTML parsers drop one line break directly after the opening tag. */}
      {`\n${useContext(CurrentForm).values[props.name] ?? ''}`}
    </textarea>
  </Frame>
)

export const Check = ({ name, label, value = 'yes' }: Pick<FieldProps, 'name' | 'label'> & { value?: string }) => {
  const isChecked = useContext(CurrentForm).values[name] === value
  return (
    <div class="check">
      <input type="checkbox" id={idOf(name)} name={name} value={value} checked={isChecked} />
      <label for={idOf(name)}>{label}</label>
    </div>
  )
}

function titleOf(name: string): string {
  const last = name.split('.').at(-1) ?? name
  return last.charAt(0).toUpperCase() + last.slice(1).replaceAll('_', ' ')
}

/** Lists all problems of a form, by default the surrounding one, with links to the fields. */
export const Summary = ({ problems = useContext(CurrentForm).problems }: Pick<FormState, 'problems'>) => {
  if (problems === undefined) return null
  return (
    <div class="notice bad" role="alert" tabindex={-1} data-focus="">
      <p class="title">{problems.title}</p>
      <ul>
        {problems.general.map((problem) => (
          <li>{problem}</li>
        ))}
        {Object.entries(problems.byField).map(([name, texts]) => (
          <li>
            <a href={`#${idOf(name)}`}>
              {titleOf(name)}: {texts.join(' ')}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface FormProps {
  readonly action: string
  readonly form?: FormState | undefined
  /** Hidden fields after all others. A form with a file cannot have any, because the file must come last. */
  readonly fields?: Readonly<Record<string, string | undefined>>
  /** Other attributes of the form element. The default method is POST. */
  readonly [attribute: string]: unknown
  readonly children?: Child
}

/** A form whose fields show its values and problems. The service validates it, not the browser. */
export const Form = ({ form = { values: {} }, fields = {}, children, ...attributes }: FormProps) => (
  <form method="post" novalidate {...attributes}>
    <CurrentForm.Provider value={form}>{children}</CurrentForm.Provider>
    {Object.entries(fields).map(([name, value]) => value !== undefined && <input type="hidden" {...{ name, value }} />)}
  </form>
)

interface PostFormProps extends FormProps {
  readonly button: Child
  readonly kind?: 'plain' | 'bad'
}

export const PostForm = ({ button, kind, children, ...form }: PostFormProps) => (
  <Form {...form}>
    <Summary />
    {children}
    <button class={kind}>{button}</button>
  </Form>
)

interface PasswordFieldProps {
  readonly name?: string
  readonly label: string
}

export const PasswordField = ({ name = 'password', label }: PasswordFieldProps) => (
  <Field name={name} type="password" label={label} autocomplete="current-password" />
)

export const NewPasswordField = ({ name = 'password', label }: PasswordFieldProps) => (
  <Field name={name} type="password" label={label} autocomplete="new-password" hint="At least 8 characters." />
)

interface ChoiceProps extends FieldProps {
  readonly empty?: string
  readonly values?: readonly string[]
  readonly groups?: readonly ChoiceGroup[]
  readonly names?: Readonly<Record<string, string>>
}

interface ChoiceGroup {
  readonly label: string
  readonly values: readonly string[]
}

export const Choice = ({ empty, values = [], groups, names = {}, ...props }: ChoiceProps) => {
  const current = useContext(CurrentForm).values[props.name] ?? ''
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
