import type { Studio } from '../../garments/studios.ts'
import { formatNames } from '../../vision/image/formats.ts'
import { Field, Form, type FormState, Summary, TextArea } from '../parts/fields.tsx'
import { importsPath } from '../paths.ts'
import { Card, Heading } from '../parts/text.tsx'
import { knownAttributes } from '../../garments/fields.ts'
import { attributeField, type FormValues, parseLines, readKnownAttributes } from '../form.ts'

export const UploadPage = ({ form, studios }: { form: FormState; studios: readonly Studio[] }) => (
  <div class="narrow">
    <Heading
      title="Upload a garment"
      lead={
        <>
          A flat-lay picture on a plain background works best: the whole garment, from above.{' '}
          <a href="/docs/guides/photographs">Taking good photographs</a>. With{' '}
          <a href="/docs/guides/photographs#the-printed-card">the printed card</a> beside it, measurements are exact.
        </>
      }
    />
    <Card id="device" title="Pictures on this device">
      <p>Many at once, or one after the other with the camera.</p>
      <a class="button" href={importsPath}>
        Choose or take pictures
      </a>
    </Card>
    <Form class="card" action="/dashboard/upload" form={form}>
      <h2>A picture with an address</h2>
      <Summary />
      <Field
        name="image_url"
        type="url"
        label="Image URL"
        placeholder="https://shop.example.com/garment.jpg"
        hint={`${formatNames}, at most 20 MiB, publicly reachable.`}
      />
      <Field name="uuid" label="Number" hint="Your own number of the garment, or this new one." mono />
      <fieldset>
        <legend>What is known of it</legend>
        <div class="pair">
          <Field name="attribute.Brand" label="Brand" optional />
          <Field name="attribute.Category" label="Category" optional />
          <Field name="attribute.Gender" label="Gender" list="genders" optional />
          <Field name="attribute.Material" label="Material" optional />
          <Field
            name="attribute.Studio"
            label="Studio"
            list="studio-names"
            hint="Selects the studio's scale."
            optional
          />
        </div>
        <TextArea name="attribute" label="Anything else" hint="One “Name: value” per line." rows={2} optional />
      </fieldset>
      <datalist id="genders">
        <option value="Women's" />
        <option value="Men's" />
      </datalist>
      <datalist id="studio-names">
        {studios.map(({ name }) => (
          <option value={name} />
        ))}
      </datalist>
      <button>Upload and tag</button>
    </Form>
  </div>
)

/** Attributes with a field of their own. All others are entered as lines of text. */
const known = new Set<string>(knownAttributes)

export const uploadFields = ['uuid', 'image_url', ...knownAttributes.map(attributeField), 'attribute']

/** Converts the form to the body of an upload request. Empty fields are omitted. */
export function readUpload(values: FormValues) {
  const { uuid = '', image_url = '', attribute: others = '' } = values
  const { values: more, problems } = parseLines(others, 'attribute')
  const repeated = Object.keys(more).filter((key) => known.has(key))
  return {
    upload: { uuid: uuid.trim(), image_url: image_url.trim(), attribute: { ...more, ...readKnownAttributes(values) } },
    problems: [...problems, ...repeated.map((key) => `attribute: ${key} has a field of its own`)],
  }
}
