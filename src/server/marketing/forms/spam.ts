import type { Suspicion } from '#contract/leads/inbox/suspicions.ts'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import type { FormToken } from './form-token.ts'

/** No one reads a form and answers it in less, in milliseconds. */
const FASTEST_MS = 2_000
/** Forms from one address in an hour. An office or a showroom shares one. */
export const MANY_AN_HOUR = 20
/** The same without a proof of work: visitors without scripts are few, programs that send many forms have none. */
export const MANY_UNPROVEN = 10
const MAX_LINKS = 2

/**
 * Why a submission looks like spam; empty if it doesn't. Suspicious ones are kept in quarantine and never refused, so that a
 * wrong guess loses no one.
 */
export function suspicionsOf(of: {
  body: URLSearchParams
  answers: Readonly<Record<string, unknown>>
  token: FormToken | null
  /** Milliseconds since 1970. */
  receivedAt: number
  /** Forms from this address within the hour, including this one. */
  count: number
  /** Its browser solved the proof of work. */
  isProven: boolean
  /** The form accepts nothing without a proof. */
  requiresProof: boolean
}): Suspicion[] {
  const suspicions: Suspicion[] = []
  if ((of.body.get(FIELD_NAMES.trap) ?? '') !== '') suspicions.push('trap')
  if (of.token === null) suspicions.push('noPage')
  else if (of.receivedAt - of.token.openedAt < FASTEST_MS) suspicions.push('fast')
  if (of.count > MANY_AN_HOUR) suspicions.push('rate')
  if (!of.isProven && (of.requiresProof || of.count > MANY_UNPROVEN)) suspicions.push('noProof')
  if (countLinks(of.answers) >= MAX_LINKS) suspicions.push('links')
  return suspicions
}

function countLinks(answers: Readonly<Record<string, unknown>>): number {
  return JSON.stringify(answers).match(/https?:\/\/|\[url|<a /gi)?.length ?? 0
}
