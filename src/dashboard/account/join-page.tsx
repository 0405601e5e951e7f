import { type Context, Hono } from 'hono'
import { Field, type FormState, NewPasswordField, PostForm } from '../parts/form-fields.tsx'
import { roleMeanings } from './team-page.tsx'
import { accountDatabase } from '../../platform/db/databases.ts'
import { clientAddress } from '../../platform/limits/throttle.ts'
import { acceptInvitation, getInvitation, getReset, resetPassword } from '../../accounts/links.ts'
import { newMemberSchema, newPasswordSchema } from '../../accounts/account-fields.ts'
import { formBody, parseFields, submitForm } from '../form.ts'
import { render } from '../parts/layout.tsx'
import { type DashboardEnv, startSession } from '../viewer.ts'

export const linkPages = new Hono<DashboardEnv>()

async function renderJoin(c: Context<DashboardEnv>, token = '', form?: FormState) {
  const { account, role } = await getInvitation(accountDatabase(c.env), token, Date.now())
  return await render(
    c,
    { title: 'Join the team' },
    <div class="card entry">
      <h1>{account === '' ? 'Join the team' : `Join ${account}`}</h1>
      <p class="lead">
        You were invited as {role}: {roleMeanings[role]}.
      </p>
      <PostForm form={form} action="/dashboard/join" fields={{ token }} button="Join">
        <Field name="name" label="Your name" autocomplete="name" />
        <Field name="email" type="email" label="Email" autocomplete="email" />
        <NewPasswordField label="Password" />
      </PostForm>
    </div>,
  )
}

linkPages.get('/dashboard/join', async (c) => await renderJoin(c, c.req.query('token')))

linkPages.post('/dashboard/join', formBody, async (c) => {
  const fields = ['name', 'email', 'password']
  const result = await submitForm(c, fields, async ({ token = '', name = '', email = '', password = '' }) => {
    const person = parseFields(newMemberSchema, { name, email, password })
    return await acceptInvitation(c.env, token, { ...person, address: clientAddress(c) }, Date.now())
  })
  if (!result.ok) return await renderJoin(c, result.form.values['token'], result.form)
  await startSession(c, result.value)
  return c.redirect('/dashboard', 303)
})

async function renderReset(c: Context<DashboardEnv>, token = '', form?: FormState) {
  const { email } = await getReset(accountDatabase(c.env), token, Date.now())
  return await render(
    c,
    { title: 'New password' },
    <div class="card entry">
      <h1>New password</h1>
      <p class="lead">For {email}. You are then signed out everywhere.</p>
      <PostForm form={form} action="/dashboard/reset" fields={{ token }} button="Set the password">
        <NewPasswordField label="New password" />
      </PostForm>
    </div>,
  )
}

linkPages.get('/dashboard/reset', async (c) => await renderReset(c, c.req.query('token')))

linkPages.post('/dashboard/reset', formBody, async (c) => {
  const result = await submitForm(c, ['password'], async ({ token = '', password: given = '' }) => {
    const { password } = parseFields(newPasswordSchema, { password: given })
    await resetPassword(c.env, { token, password, address: clientAddress(c) }, Date.now())
  })
  if (!result.ok) return await renderReset(c, result.form.values['token'], result.form)
  return c.redirect('/dashboard/sign-in?done=password', 303)
})
