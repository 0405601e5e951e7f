import process from 'node:process'
import type { OpinionVars } from './ask-about.ts'

/** Throws where the account is not named. */
export function readOpinionVars({ model, api }: { model: string; api: string }): OpinionVars {
  const { CLOUDFLARE_ACCOUNT_ID: account = '', CLOUDFLARE_API_TOKEN: token = '' } = process.env
  if (account === '' || token === '')
    throw new Error('--second-opinion needs CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN, a token with Workers AI.')
  return {
    SECOND_OPINION: 'doubtful',
    SECOND_OPINION_MODEL: model,
    SECOND_OPINION_TIMEOUT_MS: '10000',
    RUN_URL: `${api}/accounts/${account}/ai/run`,
    RUN_TOKEN: token,
  }
}
