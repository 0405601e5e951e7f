import { type Context, Hono } from 'hono'
import { listStudios } from '../../garments/studios.ts'
import { acceptUpload } from '../../garments/accept-upload.ts'
import { knownAttributes, uploadSchema } from '../../garments/garment-fields.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import {
  formBody,
  parseFields,
  submitForm,
  attributeField,
  type FormValues,
  parseLines,
  readKnownAttributes,
} from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { render } from '../parts/layout.tsx'
import { garmentPath, garmentsPath, importsPath } from '../paths.ts'
import { type DashboardEnv, forTenant } from '../viewer.ts'
import { formatNames } from '../../vision/image/formats.ts'
import { Field, Form, type FormState, Summary, TextArea } from '../parts/form-fields.tsx'
import { ButtonLink, Card, Heading } from '../parts/elements.tsx'

/** Attributes with a field of their own. All others are entered as lines of text. */
const known = new Set<string>(knownAttributes)

const uploadFields = ['uuid', 'image_url', ...knownAttributes.map(attributeField), 'attribute']

function readUpload(values: FormValues) {
  const { uuid = '', image_url = '', attribute: others = '' } = values
  const { values: more, problems } = parseLines(others, 'attribute')
  const repeated = Object.keys(more).filter((key) => known.has(key))
  return {
    upload: { uuid: uuid.trim(), image_url: image_url.trim(), attribute: { ...more, ...readKnownAttributes(values) } },
    problems: [...problems, ...repeated.map((key) => `attribute: ${key} has a field of its own`)],
  }
}

export const uploadPages = new Hono<DashboardEnv>()

async function renderUpload(c: Context<DashboardEnv>, form: FormState) {
  const studios = await listStudios(c.get('db'), c.get('tenant').id)
  return await render(
    c,
    { title: 'Upload a garment', section: garmentsPath },
    <div class="narrow">
      <Heading
        title="Upload a garment"
        lead={
          <>
            A flat-lay picture on a plain background works best: the whole garment, from above.{' '}
            <a href="/docs/guides/photographs">Taking good photographs</a>. With{' '}
            <a href="/docs/guides/photographs#the-printed-card">the printed card</a> beside it, measurements are exact.
            Photograph the <a href="/docs/guides/photographs#labels">label</a>, too: its brand, size and material are
            read.
          </>
        }
      />
      <Card id="device" title="Pictures on this device">
        <p>Many at once, or one after the other with the camera.</p>
        <ButtonLink to={importsPath}>Choose or take pictures</ButtonLink>
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
          <legend>Attributes</legend>
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
    </div>,
  )
}

uploadPages.get('/dashboard/upload', forTenant, async (c) => renderUpload(c, { values: { uuid: crypto.randomUUID() } }))

uploadPages.post('/dashboard/upload', formBody, forTenant, async (c) => {
  const tenantId = c.get('tenant').id
  const result = await submitForm(c, uploadFields, async (values) => {
    const { upload, problems } = readUpload(values)
    await limitWrites(c.env, tenantId)
    if (problems.length > 0) throw invalidBody(problems)
    await acceptUpload(
      { env: c.env, db: c.get('db') },
      tenantId,
      parseFields(uploadSchema, upload),
      new URL(c.req.url).origin,
      Date.now(),
    )
    return upload.uuid
  })
  if (!result.ok) return await renderUpload(c, result.form)
  c.set('uuid', result.value)
  return c.redirect(garmentPath(result.value), 303)
})
