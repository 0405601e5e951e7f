import { type Context, Hono } from 'hono'
import { newPasswordSchema } from '../../accounts/account-fields.ts'
import { recoverAccount } from '../../accounts/recovery-codes.ts'
import { clientAddress } from '../../platform/limits/throttle.ts'
import { formBody, parseFields, submitForm } from '../form.ts'
import { ButtonLink, Copyable, Heading, Notice } from '../parts/elements.tsx'
import { Field, type FormState, NewPasswordField, PostForm } from '../parts/form-fields.tsx'
import { render } from '../parts/layout.tsx'
import { recoverPath } from '../paths.ts'
import { type DashboardEnv, startSession } from '../viewer.ts'

interface CodesProps {
  readonly codes: readonly string[]
  readonly email: string
}

/** Shows new recovery codes. No other page can, because only their hashes are stored. */
export const NewCodes = ({ codes, email }: CodesProps) => {
  const list = codes.join('\n')
  const file = `Recovery codes of Garment Tagging for ${email}\nEach sets a new password once.\n\n${list}\n`
  return (
    <div class="narrow">
      <Heading
        title="Keep your recovery codes"
        lead="If you forget your password, each of these codes sets a new one, once. Keep them where only you can find them."
      />
      <section class="card codes">
        <Copyable text={list} label="recovery codes" />
        <p class="actions no-print">
          <a
            class="button plain"
            download="recovery-codes.txt"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
          >
            Download
          </a>
          <button class="plain" type="button" data-print="" data-with-scripts="" hidden>
            Print
          </button>
        </p>
        <Notice tone="busy" title="They are shown only now." />
      </section>
      <p class="actions no-print">
        <ButtonLink to="/dashboard">I have kept them</ButtonLink>
      </p>
    </div>
  )
}

/** The page for owners who forgot their password, open without signing in. */
export const recoverPage = new Hono<DashboardEnv>()

const renderRecovery = async (c: Context<DashboardEnv>, form?: FormState) =>
  await render(
    c,
    { title: 'Forgotten password' },
    <div class="card entry">
      <h1>Forgotten password</h1>
      <p class="lead">An owner can set a new password with a recovery code. This ends all sessions and tokens.</p>
      <PostForm form={form} action={recoverPath} button="Set the password">
        <Field name="email" type="email" label="Email" autocomplete="email" />
        <Field
          name="code"
          label="Recovery code"
          hint="Such as abcd-efgh-2345-6723."
          autocomplete="one-time-code"
          mono
        />
        <NewPasswordField label="New password" />
      </PostForm>
      <p class="aside">
        No code at hand? An owner of your account, or the operator of the service, can give you a link.{' '}
        <a href="/dashboard/sign-in">Back to sign in</a>
      </p>
    </div>,
  )

recoverPage.get(recoverPath, async (c) => await renderRecovery(c))

recoverPage.post(recoverPath, formBody, async (c) => {
  const result = await submitForm(c, ['email', 'code', 'password'], async ({ email = '', code = '', ...values }) => {
    const { password: newPassword } = parseFields(newPasswordSchema, { password: values['password'] ?? '' })
    return await recoverAccount(c.env, { email, code, newPassword, address: clientAddress(c) }, Date.now())
  })
  if (!result.ok) {
    const { code: _, ...values } = result.form.values
    return await renderRecovery(c, { ...result.form, values })
  }
  await startSession(c, result.value)
  return c.redirect('/dashboard/account?done=recovered', 303)
})
