import { type Context, Hono } from 'hono'
import { Field, type FormState, Form, NewPasswordField, PasswordField, PostForm } from '../parts/form-fields.tsx'
import { ButtonLink, PlainLink, Heading, Notice } from '../parts/elements.tsx'
import { formBody, type FormValues, parseFields, submitForm } from '../form.ts'
import { readKeptForm } from '../keepable-fields.ts'
import { settingsOf, signUpOf } from '../../settings.ts'
import { credentialsSchema, newMerchantSchema } from '../../accounts/account-fields.ts'
import { clientAddress } from '../../platform/limits/throttle.ts'
import { signIn, signUp } from '../../accounts/merchant.ts'
import { toActor } from '../../accounts/audit.ts'
import { replaceRecoveryCodes } from '../../accounts/recovery-codes.ts'
import { recoverPath } from '../paths.ts'
import { NewCodes } from './recovery-page.tsx'
import { accountDatabase } from '../../platform/db/databases.ts'
import { render } from '../parts/layout.tsx'
import { type DashboardEnv, endCurrentSession, findViewer, readSession, safeNext, startSession } from '../viewer.ts'

interface SignInProps {
  readonly form?: FormState
  readonly next?: string | undefined
  /** Form input that was submitted after the session had ended. */
  readonly kept?: string | undefined
  /** True if a reset link has just set the password. */
  readonly isReset?: boolean
}

export const SignIn = ({ form, next, kept, isReset = false }: SignInProps) => (
  <div class="card entry">
    <h1>Sign in</h1>
    {isReset && <Notice tone="good" title="The password was set. Sign in with it." />}
    {next !== undefined && form === undefined && (
      <p class="lead">Please sign in to continue.{kept !== undefined && ' Your input is kept.'}</p>
    )}
    <PostForm form={form} action="/dashboard/sign-in" fields={{ next, kept }} button="Sign in">
      <Field name="email" type="email" label="Email" autocomplete="email" />
      <PasswordField label="Password" />
    </PostForm>
    <p class="aside">
      New here? <a href="/dashboard/sign-up">Create an account</a>. <a href={recoverPath}>Forgotten your password?</a>
    </p>
  </div>
)

/** Shows form input that was submitted after the session had ended, so that it can be submitted again. */
const SavedInput = ({ path, values }: { path: string; values: FormValues }) => (
  <div class="narrow">
    <Heading title="You are signed in again" lead="Your input was kept. Nothing has been saved yet." />
    <Form class="card" action={path} fields={values}>
      <p>Passwords and secrets were not kept; the form asks for them again where it needs them.</p>
      <div class="actions">
        <button>Continue with my input</button>
        <a href="/dashboard">Discard it</a>
      </div>
    </Form>
  </div>
)

export const Landing = () => (
  <div class="landing">
    <section class="hero">
      <div>
        <h1>From a photograph of a garment to its listing</h1>
        <p class="lead">
          Type, colour, fit, fabric and measurements, each with its confidence, and a title and text in five languages.
          For people and systems that sell clothes.
        </p>
        <p class="actions">
          <ButtonLink to="/dashboard/sign-up">Create account</ButtonLink>
          <PlainLink to="/docs/guides/first-garment">First garment by API</PlainLink>
        </p>
      </div>
      <figure class="illustration">
        <img
          src="/samples/dress-annotated.jpg"
          width="400"
          height="533"
          alt="A photograph of a dress with its outline, its shoulder, chest, waist, length and hem measured"
        />
        <figcaption>
          <p class="title">Dotted dress in teal</p>
          <p class="hint">V-neck, fit and flare. Chest 41 cm, body length 97.5 cm.</p>
        </figcaption>
      </figure>
    </section>
    <section class="trio" aria-label="How it works">
      <div>
        <h2>Sell</h2>
        <p>
          Choose many photographs at once, price them together, print labels, and download files for Shopify, eBay and
          Google. <a href="/docs/guides/selling">Selling</a>
        </p>
      </div>
      <div>
        <h2>Review</h2>
        <p>
          You only review doubtful values, by keyboard or with one thumb. With{' '}
          <a href="/docs/guides/photographs#the-printed-card">a printed card</a> in the picture, lengths are right to
          about a centimetre. Without it they are estimates.
        </p>
      </div>
      <div>
        <h2>Build</h2>
        <p>
          One request with a picture's address, and a signed webhook with nine attempts over two days. An accepted
          upload is never lost. <a href="/docs/guides/polling-or-webhooks">Webhooks</a>
        </p>
      </div>
    </section>
  </div>
)

const signUpFields = ['name', 'company', 'email', 'password', 'sign_up_code']

export const signInPages = new Hono<DashboardEnv>()

async function renderSignUp(c: Context<DashboardEnv>, form?: FormState) {
  const mode = signUpOf(settingsOf(c.env))
  return await render(
    c,
    { title: 'Create account' },
    <div class="card entry">
      <h1>Create account</h1>
      <p class="lead">
        {mode === 'closed'
          ? 'The operator of the service creates no new accounts.'
          : 'Describe your first garment in three minutes.'}
      </p>
      <PostForm form={form} action="/dashboard/sign-up" button="Create account">
        <Field name="name" label="Your name" autocomplete="name" />
        <Field name="company" label="Company" autocomplete="organization" optional />
        <Field name="email" type="email" label="Email" autocomplete="email" />
        <NewPasswordField label="Password" />
        {mode === 'code' && <Field name="sign_up_code" label="Code" hint="From the operator of the service." />}
      </PostForm>
      <p class="aside">
        Already have an account? <a href="/dashboard/sign-in">Sign in</a>
      </p>
    </div>,
  )
}

signInPages.get('/dashboard/sign-up', async (c) => {
  if ((await readSession(c)) !== null) return c.redirect('/dashboard', 303)
  return await renderSignUp(c)
})

signInPages.post('/dashboard/sign-up', formBody, async (c) => {
  const result = await submitForm(c, signUpFields, async (values) => {
    const { name = '', company = '', email = '', password = '', sign_up_code = '' } = values
    const merchant = parseFields(newMerchantSchema, { name, company, email, password, sign_up_code })
    return await signUp(c.env, { ...merchant, address: clientAddress(c) }, Date.now())
  })
  if (!result.ok) return await renderSignUp(c, result.form)
  const session = await startSession(c, result.value)
  const codes = await replaceRecoveryCodes(c.env, result.value, Date.now(), toActor(result.value))
  const viewer = await findViewer(accountDatabase(c.env), session)
  if (viewer !== null) c.set('viewer', viewer)
  return await render(c, { title: 'Recovery codes' }, <NewCodes codes={codes} email={result.value.email} />)
})

signInPages.get('/dashboard/sign-in', async (c) => {
  const next = c.req.query('next')
  if ((await readSession(c)) !== null) return c.redirect(safeNext(next), 303)
  const isReset = c.req.query('done') === 'password'
  return await render(c, { title: 'Sign in' }, <SignIn next={next} isReset={isReset} />)
})

signInPages.post('/dashboard/sign-in', formBody, async (c) => {
  const result = await submitForm(c, ['email', 'password'], async ({ email = '', password = '' }) => {
    const credentials = parseFields(credentialsSchema, { email, password })
    return await signIn(c.env, { ...credentials, address: clientAddress(c) })
  })
  if (!result.ok) {
    const { form } = result
    const page = <SignIn form={form} next={form.values['next']} kept={form.values['kept']} />
    return await render(c, { title: 'Sign in' }, page)
  }
  const { values } = result
  const session = await startSession(c, result.value)
  // `/` redirects to the overview that was used last.
  const next = values['next'] ? safeNext(values['next']) : '/'
  if (values['kept'] === undefined) return c.redirect(next, 303)
  const viewer = await findViewer(accountDatabase(c.env), session)
  if (viewer !== null) c.set('viewer', viewer)
  const page = <SavedInput path={next} values={readKeptForm(values['kept'])} />
  return await render(c, { title: 'Continue' }, page)
})

signInPages.post('/dashboard/sign-out', formBody, async (c) => {
  await endCurrentSession(c)
  return c.redirect('/', 303)
})
