import type { Suspicion } from '#contract/leads/inbox/suspicions.ts'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import type { FormToken } from './form-token.ts'

/** No one reads a form and answers it in less, in milliseconds. */
const FASTEST_MS = 2_000
const MAX_LINKS = 2

/**
 * Why a submission looks like spam, by what it contains; empty if it doesn't. Suspicious ones are kept in quarantine and never
 * refused, so that a wrong guess loses no one. Where a browser runs scripts, a form without a proof of work is suspicious;
 * where it doesn't, its network is limited (`countForm`).
 */
export function suspicionsOf(of: {
  body: URLSearchParams
  answers: Readonly<Record<string, unknown>>
  token: FormToken | null
  /** Milliseconds since 1970. */
  receivedAt: number
  /** Its browser solved the proof of work, for this submission only. */
  isProven: boolean
  /** The form accepts nothing without a proof. */
  requiresProof: boolean
}): Suspicion[] {
  const { body, token } = of
  const suspicions: Suspicion[] = []
  if ((body.get(FIELD_NAMES.trap) ?? '') !== '') suspicions.push('trap')
  if (token === null) suspicions.push('noPage')
  else if (of.receivedAt - token.openedAt < FASTEST_MS) suspicions.push('fast')
  const couldProve = body.get(FIELD_NAMES.noScript) !== '1'
  if (!of.isProven && (couldProve || of.requiresProof)) suspicions.push('noProof')
  if (countLinks(of.answers) >= MAX_LINKS) suspicions.push('links')
  return suspicions
}

function countLinks(answers: Readonly<Record<string, unknown>>): number {
  return JSON.stringify(answers).match(/https?:\/\/|\[url|<a /gi)?.length ?? 0
}
