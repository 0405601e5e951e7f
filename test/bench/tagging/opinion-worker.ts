import service from '../../../src/index.ts'
import { accountDatabase } from '../../../src/platform/db/databases.ts'
import { createSecondOpinion, type ModelBinding } from '../../../src/tagging/second-opinion.ts'
import { settingsOf } from '../../../src/settings.ts'
import { stalledHosts, taggingDeps } from '../../../src/tagging/deps.ts'
import { runBatch } from '../../../src/tagging/run-batch.ts'

export { Dispatcher, Gate, Importer, Sweeper, Throttle } from '../../../src/index.ts'

/** How long a model takes that answers. */
const answerMs = 150

interface Input {
  readonly questions: Readonly<Record<string, { readonly criteria: Readonly<Record<string, string | null>> }>>
}

/** An answer of the documented shape that is as sure of each option. */
const answerTo = ({ questions }: Input) => ({
  answers: Object.fromEntries(
    Object.entries(questions).map(([id, { criteria }]) => {
      const options = Object.keys(criteria)
      const probabilities = Object.fromEntries(options.map((option) => [option, 1 / options.length]))
      return [id, { type: 'choice', choice: options[0], probabilities, confidence: 0.5 }]
    }),
  ),
  usage: { input_tokens: 1500, output_tokens: 0 },
})

const models: Readonly<Record<string, ModelBinding['run']>> = {
  answers: async (_, input) => {
    await scheduler.wait(answerMs)
    return answerTo(input as unknown as Input)
  },
  hangs: async () => await new Promise(() => {}),
}

/** By how the model behaves, how long each batch took, ms. */
const times: Record<string, number[]> = { none: [], answers: [], hangs: [] }

function secondOpinionOf(env: Env, behaviour: string) {
  const run = models[behaviour]
  if (run === undefined) return null
  return createSecondOpinion({
    binding: { run },
    db: accountDatabase(env),
    settings: { ...settingsOf(env), SECOND_OPINION: 'always' },
    now: Date.now,
  })
}

/** The real service; the first part of a garment's uuid says how the model behaves that is asked about it. */
export default {
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname === '/test/times') return Response.json(times)
    return await service.fetch(request, env, ctx)
  },
  async queue(batch, env, ctx) {
    const { uuid = '' } = (batch.messages[0]?.body ?? {}) as { readonly uuid?: string }
    const [behaviour = ''] = uuid.split('-')
    if (times[behaviour] === undefined) return await service.queue(batch, env, ctx)
    const startedAt = Date.now()
    const deps = { ...taggingDeps(env), stalledHosts, secondOpinion: secondOpinionOf(env, behaviour) }
    await runBatch(batch, { ...deps, waitUntil: (work) => ctx.waitUntil(work) })
    times[behaviour].push(Date.now() - startedAt)
  },
} satisfies ExportedHandler<Env>
