import { type Context, Hono } from 'hono'
import { emailFormSchema, newPasswordSchema } from '../../accounts/account-fields.ts'
import { mailerOf, mailReset } from '../../accounts/mail.ts'
import { recoverAccount } from '../../accounts/recovery-codes.ts'
import { clientAddress } from '../../platform/limits/throttle.ts'
import { formBody, type FormValues, parseFields, submitForm } from '../form.ts'
import { ButtonLink, Copyable, Heading, Notice } from '../parts/elements.tsx'
import { Field, type FormState, NewPasswordField, PostForm } from '../parts/form-fields.tsx'
import { render } from '../parts/layout.tsx'
import { pageNotFound } from '../page-errors.ts'
import { mailResetPath, recoverPath } from '../paths.ts'
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

export const recoverPage = new Hono<DashboardEnv>()

/** Differs from the name in the other form, because both are on one page. */
const mailedField = 'reset_email'

const MailForm = ({ form }: { form?: FormState | undefined }) => (
  <PostForm form={form} action={mailResetPath} button="Send me a link">
    <Field name={mailedField} type="email" label="Email" autocomplete="email" />
  </PostForm>
)

const CodeForm = ({ form }: { form?: FormState | undefined }) => (
  <PostForm form={form} action={recoverPath} button="Set the password">
    <Field name="email" type="email" label="Email" autocomplete="email" />
    <Field name="code" label="Recovery code" hint="Such as abcd-efgh-2345-6723." autocomplete="one-time-code" mono />
    <NewPasswordField label="New password" />
  </PostForm>
)

const codeLead = 'An owner can set a new password with a recovery code. You are then signed out everywhere else.'

interface RecoveryForms {
  readonly mail?: FormState
  readonly code?: FormState
}

async function renderRecovery(c: Context<DashboardEnv>, { mail, code }: RecoveryForms = {}) {
  const canMail = mailerOf(c.env, c.req.url) !== null
  return await render(
    c,
    { title: 'Forgotten password' },
    <div class="card entry">
      <h1>Forgotten password</h1>
      {canMail ? (
        <>
          {c.req.query('done') === 'mailed' ? (
            <Notice tone="good" title="Check your email.">
              <p>If an account has this email, the link arrives within minutes. It works once, within an hour.</p>
            </Notice>
          ) : (
            <p class="lead">We email you a link that sets a new password.</p>
          )}
          <MailForm form={mail} />
          <details class="more" open={code !== undefined}>
            <summary>Use a recovery code</summary>
            <p>{codeLead}</p>
            <CodeForm form={code} />
          </details>
        </>
      ) : (
        <>
          <p class="lead">{codeLead}</p>
          <CodeForm form={code} />
        </>
      )}
      <p class="aside">
        {canMail ? 'No email?' : 'No code at hand?'} An owner of your account, or the operator of the service, can give
        you a link. <a href="/dashboard/sign-in">Back to sign in</a>
      </p>
    </div>,
  )
}

recoverPage.get(recoverPath, async (c) => await renderRecovery(c))

recoverPage.post(mailResetPath, formBody, async (c) => {
  const mailer = mailerOf(c.env, c.req.url)
  if (mailer === null) throw pageNotFound()
  const send = async (values: FormValues) => {
    const { email } = parseFields(emailFormSchema, { email: values[mailedField] })
    await mailReset(c.env, mailer, { email, address: clientAddress(c) }, Date.now())
  }
  const result = await submitForm(c, [mailedField], send, { email: mailedField })
  if (!result.ok) return await renderRecovery(c, { mail: result.form })
  return c.redirect(`${recoverPath}?done=mailed`, 303)
})

recoverPage.post(recoverPath, formBody, async (c) => {
  const result = await submitForm(c, ['email', 'code', 'password'], async ({ email = '', code = '', ...values }) => {
    const { password: newPassword } = parseFields(newPasswordSchema, { password: values['password'] ?? '' })
    return await recoverAccount(c.env, { email, code, newPassword, address: clientAddress(c) }, Date.now())
  })
  if (!result.ok) {
    const { code: _, ...values } = result.form.values
    return await renderRecovery(c, { code: { ...result.form, values } })
  }
  await startSession(c, result.value)
  return c.redirect('/dashboard/account?done=recovered', 303)
})
