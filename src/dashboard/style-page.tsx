import { Hono } from 'hono'
import { stages } from '../garments/listing-values.ts'
import { settingsOf } from '../settings.ts'
import { Bars } from './sales.tsx'
import { pageNotFound } from './page-errors.ts'
import { Confidence } from './garments/tag-notes.tsx'
import { Confirm } from './parts/actions.tsx'
import { Check, Choice, CurrentForm, Field, Summary, TextArea } from './parts/form-fields.tsx'
import { render } from './parts/layout.tsx'
import { Filter } from './parts/list-parts.tsx'
import { Copyable, Empty, Facts, GarmentStatus, Heading, Notice, StageBadge } from './parts/elements.tsx'
import type { DashboardEnv } from './viewer.ts'

const problems = { title: 'Please check these fields', byField: { price: ['Must be an amount.'] }, general: [] }
const form = { values: { name: 'Blue shirt', size: 'M', sure: 'yes', price: 'twelve' }, problems }

const StylePage = () => (
  <>
    <Heading title="Style" lead="Each part of these pages once. In local runs only.">
      <button type="button">Button</button>
      <button type="button" class="plain">
        Plain
      </button>
      <button type="button" class="quiet">
        Quiet
      </button>
      <button type="button" class="bad">
        Bad
      </button>
    </Heading>
    {(['good', 'calm', 'busy', 'bad'] as const).map((tone) => (
      <Notice tone={tone} title={`A ${tone} notice`}>
        <p>What happened, and what can be done.</p>
      </Notice>
    ))}
    <p class="actions">
      {stages.map((stage) => (
        <StageBadge stage={stage} />
      ))}
      {(['queuing', 'processing', 'complete', 'failed'] as const).map((status) => (
        <GarmentStatus status={status} />
      ))}
      {['High', 'Medium', 'Low'].map((level) => (
        <Confidence level={level} />
      ))}
    </p>
    <Filter
      label="Example"
      href={() => '/dashboard/style'}
      options={[
        [undefined, 'All'],
        ['some', 'Some'],
      ]}
      current={undefined}
    />
    <div class="tiles">
      <a class="tile" href="#tiles">
        <strong>12</strong> in doubt <span class="hint">Review them</span>
      </a>
      <a class="tile none" href="#tiles">
        <strong>0</strong> failed <span class="hint">None</span>
      </a>
    </div>
    <section class="card">
      <h2>A form</h2>
      <CurrentForm.Provider value={form}>
        <Summary />
        <div class="pair">
          <Field name="name" label="Name" hint="What it is called." />
          <Field name="price" label="Price" optional />
          <Choice name="size" label="Size" values={['S', 'M', 'L']} />
          <TextArea name="text" label="Text" optional />
        </div>
        <Check name="sure" label="A box" />
      </CurrentForm.Provider>
      <Confirm summary="A question first" action="/dashboard/style" />
    </section>
    <section class="card">
      <h2>Facts, text to copy and a chart</h2>
      <Facts facts={[['Name', 'Value']]} />
      <Copyable text="Text to copy" label="example" />
      <Bars label="Example" bars={[3, 0, 5].map((value) => ({ label: `${value} Nov`, value, text: String(value) }))} />
    </section>
    <Empty title="Nothing yet">
      <p>It appears here.</p>
    </Empty>
  </>
)

export const stylePage = new Hono<DashboardEnv>()

stylePage.get('/dashboard/style', async (c) => {
  if (!settingsOf(c.env).ALLOW_LOCAL_TARGETS) throw pageNotFound()
  return await render(c, { title: 'Style' }, <StylePage />)
})
