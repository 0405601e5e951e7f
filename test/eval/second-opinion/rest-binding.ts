import type { ModelBinding } from '../../../src/tagging/second-opinion.ts'

/**
 * What the binding does, over the REST interface of Workers AI: for whoever has an account and runs the evaluation on
 * their own machine. An error has the first code of the envelope.
 * @param base up to and with `/ai/run`
 */
export function createRestBinding(base: string, token: string): ModelBinding {
  return {
    async run(model, input, { signal, rejectIfBusy }) {
      const response = await fetch(`${base}/${model}`, {
        method: 'POST',
        signal,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...input, options: { rejectIfBusy } }),
      })
      const answer: unknown = await response.json()
      if (response.ok) return answer
      throw Object.assign(new Error(JSON.stringify(answer).slice(0, 300)), {
        status: response.status,
        ...codeOf(answer),
      })
    },
  }
}

function codeOf(answer: unknown): { readonly code?: number } {
  const { errors } = answer as { errors?: readonly { code?: number }[] }
  const code = errors?.[0]?.code
  return code === undefined ? {} : { code }
}
