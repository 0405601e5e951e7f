import type { Child } from 'hono/jsx'

/** What the merchant wants to do: work on these pages, or connect a system. */
export const purposes = ['here', 'api'] as const

export type Purpose = (typeof purposes)[number]

const stepsHere = [
  ['tenant', 'Name your shop', 'Its garments are kept apart from all others.'],
  ['garment', 'Describe your first garment', 'From a picture on this device, or one of ours.'],
] as const

const stepsByApi = [
  ['tenant', 'Create your tenant', 'Holds your garments, API keys and webhook under one domain.'],
  ['key', 'Create an API key', 'Sent with every request, together with your domain.'],
  ['garment', 'Tag your first garment', 'Here or with curl. The result appears within seconds.'],
  ['webhook', 'Set up the webhook', 'Each result is sent to your system as soon as it is ready.'],
  ['delivered', 'Receive a delivery', 'The next garment you upload is delivered to your system.'],
] as const

export type Step = (typeof stepsByApi)[number][0]

/** In order. */
export const stepsOf = (purpose: Purpose) => (purpose === 'here' ? stepsHere : stepsByApi)

interface StepsProps {
  readonly purpose: Purpose
  readonly done: Readonly<Record<Step, boolean>>
  readonly open: Child
}

/** The onboarding checklist. The first step that is not done shows its form. */
export const Steps = ({ purpose, done, open }: StepsProps) => {
  const steps = stepsOf(purpose)
  const next = steps.find(([step]) => !done[step])?.[0]
  const count = steps.filter(([step]) => done[step]).length
  return (
    <section class="card" aria-labelledby="steps">
      <h2 id="steps">
        First steps <span class="hint">{`${count} of ${steps.length} done`}</span>
      </h2>
      <ol class="steps">
        {steps.map(([step, name, why]) => (
          <li
            class={done[step] ? 'done' : step === next ? 'next' : ''}
            aria-current={step === next ? 'step' : undefined}
          >
            <div class="step">
              <p class="title">
                {name}
                <span class="visually-hidden">{done[step] ? ' (done)' : ' (to do)'}</span>
              </p>
              {!done[step] && <p class="hint">{why}</p>}
              {step === next && <div class="open">{open}</div>}
            </div>
          </li>
        ))}
      </ol>
      <p>
        <a href={`/dashboard?purpose=${purpose === 'here' ? 'api' : 'here'}`}>
          {purpose === 'here' ? 'Connect my shop by API instead' : 'Describe garments here instead'}
        </a>
      </p>
    </section>
  )
}
