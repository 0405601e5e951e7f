import { Hono } from 'hono'
import { credentialsSchema, newMerchantSchema } from '../../merchant/fields.ts'
import { clientAddress } from '../../merchant/client-address.ts'
import { signIn } from '../../merchant/sign-in.ts'
import { signUp } from '../../merchant/sign-up.ts'
import { settingsOf, signUpOf } from '../../settings.ts'
import { submit, formBody, parseFields, readForm } from '../form.ts'
import { render } from '../parts/render.tsx'
import { problemsOf } from '../problems.ts'
import { endOwnSession, originOf, readSession, safeNext, startSession } from '../session.ts'
import { findViewer, type DashboardEnv } from '../viewer.ts'
import { readKeptForm } from './kept-form.ts'
import { KeptInput } from './kept-input.tsx'
import { SignIn } from './sign-in.tsx'
import { SignUp } from './sign-up.tsx'

const signUpFields = ['name', 'company', 'email', 'password', 'sign_up_code']

export const signInPages = new Hono<DashboardEnv>()

signInPages.get('/dashboard/sign-up', async (c) => {
  if ((await readSession(c)) !== null) return c.redirect('/dashboard', 303)
  return await render(
    c,
    { title: 'Create account' },
    <SignUp form={{ values: {} }} mode={signUpOf(settingsOf(c.env))} />,
  )
})

signInPages.post('/dashboard/sign-up', formBody, async (c) => {
  const values = await readForm(c)
  const result = await submit(c, async () => {
    const { name = '', company = '', email = '', password = '', sign_up_code = '' } = values
    const merchant = parseFields(newMerchantSchema, { name, company, email, password, sign_up_code })
    return await signUp(c.env, { ...merchant, address: clientAddress(c) }, Date.now())
  })
  if (!result.ok) {
    const problems = problemsOf(result.failure, signUpFields)
    const { status } = result.failure
    return await render(
      c,
      { title: 'Create account', status },
      <SignUp form={{ values, problems }} mode={signUpOf(settingsOf(c.env))} />,
    )
  }
  await startSession(c, result.value)
  return c.redirect('/dashboard', 303)
})

signInPages.get('/dashboard/sign-in', async (c) => {
  const next = c.req.query('next')
  if ((await readSession(c)) !== null) return c.redirect(safeNext(next), 303)
  const isReset = c.req.query('done') === 'password'
  return await render(c, { title: 'Sign in' }, <SignIn form={{ values: {} }} next={next} isReset={isReset} />)
})

signInPages.post('/dashboard/sign-in', formBody, async (c) => {
  const values = await readForm(c)
  const result = await submit(c, async () => {
    const { email = '', password = '' } = values
    const credentials = parseFields(credentialsSchema, { email, password })
    return await signIn(c.env, { ...credentials, ...(await originOf(c, credentials.email)) })
  })
  if (!result.ok) {
    const problems = problemsOf(result.failure, ['email', 'password'])
    const { status } = result.failure
    const page = <SignIn form={{ values, problems }} next={values['next']} kept={values['kept']} />
    return await render(c, { title: 'Sign in', status }, page)
  }
  const session = await startSession(c, result.value)
  const next = safeNext(values['next'])
  if (values['kept'] === undefined) return c.redirect(next, 303)
  const viewer = await findViewer(c.env, session)
  if (viewer !== null) c.set('viewer', viewer)
  const page = <KeptInput path={next} values={readKeptForm(values['kept'])} />
  return await render(c, { title: 'Continue' }, page)
})

signInPages.post('/dashboard/sign-out', formBody, async (c) => {
  await endOwnSession(c)
  return c.redirect('/', 303)
})
