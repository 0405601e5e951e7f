import { Choice } from '../parts/choice.tsx'
import { Check, Field, HiddenFields, Summary, type FormState } from '../parts/fields.tsx'
import { selectField, withQuery } from '../parts/list.tsx'
import { editPath, garmentsDeletionPath } from '../paths.ts'
import { conditions } from '../../listing/condition.ts'
import { attributeField } from '../attribute-fields.ts'
import { editedNames, removeField } from './read-edit.ts'

/** The checkboxes of the table refer to the form by this id. */
export const editFormId = 'edit'

interface EditFormProps {
  readonly form: FormState
  /** The filter of the list. */
  readonly filter: Readonly<Record<string, string | undefined>>
  /** The garments whose boxes were ticked, on a page without the list. */
  readonly selected?: readonly string[]
}

/** Changes a shop's own values for many garments at once. */
export const EditForm = ({ form, filter, selected = [] }: EditFormProps) => (
  <details class="card" open={form.problems !== undefined}>
    <summary>Change several garments</summary>
    <form id={editFormId} method="post" action={withQuery(editPath, filter)} novalidate>
      <Summary form={form} />
      <HiddenFields fields={Object.fromEntries(selected.map((uuid) => [selectField(uuid), 'yes']))} />
      <p class="hint">
        Empty fields change nothing. <a href={editPath}>Change them by CSV</a>
      </p>
      <div class="pair">
        {editedNames.map((name) =>
          name === 'Condition' ? (
            <Choice
              form={form}
              name={attributeField(name)}
              label={name}
              empty="As it is"
              values={conditions}
              optional
            />
          ) : (
            <Field form={form} name={attributeField(name)} label={name} optional />
          ),
        )}
        <Field form={form} name="other" label="Another column" hint="Any name of yours, such as Shelf." optional />
        <Field form={form} name="value" label="Its value" optional />
      </div>
      <fieldset>
        <legend>Remove values</legend>
        <p class="hint">What you tick is removed from the garments that have it. Their histories can bring it back.</p>
        <div class="pair">
          {editedNames.map((name) => (
            <Check form={form} name={removeField(name)} label={`Remove ${name}`} />
          ))}
          <Check form={form} name={removeField('other')} label="Remove the other column" />
        </div>
      </fieldset>
      <div class="actions">
        <button name="scope" value="selected">
          Change the selected
        </button>
        <button class="plain" name="scope" value="all">
          Change all that the list finds
        </button>
      </div>
    </form>
  </details>
)

/** The button belongs to the form above, whose checkboxes select the garments. */
export const DeleteSelected = ({ filter }: Pick<EditFormProps, 'filter'>) => (
  <details class="card confirm">
    <summary>Delete several garments</summary>
    <p>The selected garments are removed with their results, pictures and webhook deliveries. This cannot be undone.</p>
    <button class="bad" form={editFormId} formaction={withQuery(garmentsDeletionPath, filter)}>
      Delete the selected now
    </button>
  </details>
)
