import type { Child } from 'hono/jsx'

const steps = [
  ['tenant', 'Create your tenant', 'Holds your garments, API keys and webhook under one domain.'],
  ['key', 'Create an API key', 'Sent with every request, together with your domain.'],
  ['garment', 'Tag your first garment', 'Here or with curl. The result appears within seconds.'],
  ['webhook', 'Set up the webhook', 'Each result is sent to your system as soon as it is ready.'],
  ['delivered', 'Receive a delivery', 'The next garment you upload is delivered to your system.'],
] as const

export type Step = (typeof steps)[number][0]

/** The onboarding checklist. The first step that is not done shows its form. */
export const Steps = ({ done, open }: { done: Readonly<Record<Step, boolean>>; open: Child }) => {
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
    </section>
  )
}
