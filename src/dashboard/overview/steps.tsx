import type { Child } from 'hono/jsx'

const steps = [
  ['tenant', 'Create your tenant', 'Keeps your garments, keys and webhook together under a domain of yours.'],
  ['key', 'Create an API key', 'Sent with every request, together with your domain.'],
  ['garment', 'Tag a first garment', 'From here or by curl; what was found appears within seconds.'],
  ['webhook', 'Point the webhook at your system', 'Results are sent to it as soon as they are there.'],
  ['delivered', 'Receive a delivery', 'A garment that is tagged from now on is delivered to your system.'],
] as const

export type Step = (typeof steps)[number][0]

/** The checklist of the first steps; the first one that is missing is open, with what it takes to do it. */
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
                <span class="unseen">{done[step] ? ' (done)' : ' (to do)'}</span>
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
