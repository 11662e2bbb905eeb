import { type AdvertisementFinding, lintAdvertisement } from '#contract/pricing/totals/lint-advertisement.ts'
import type { LeadRecord } from './leads.ts'

/** What the price law of the lot has against an email to a buyer. `from`: where the words are in the text. */
export type AnswerFinding = Pick<AdvertisementFinding, 'words' | 'from' | 'message' | 'severity' | 'source'>

const TOTAL_FIRST = 'California Civil Code, SB 766, as of November 2026'

/**
 * Checks an email about a vehicle in stock: its words, amounts below the total price, and in California whether the first written answer
 * states that price. Help for the author, not legal advice.
 */
export function findingsOfAnswer(
  { subject, text }: { subject: string; text: string },
  { vehicle, timeline }: Pick<LeadRecord, 'vehicle' | 'timeline'>,
): AnswerFinding[] {
  if (vehicle === null || vehicle.status === 'sold') return []
  const { law, totalCents } = vehicle
  const findings: AnswerFinding[] = [
    ...lintAdvertisement(subject, law, totalCents),
    ...lintAdvertisement(text, law, totalCents),
  ]
  const isFirst = !timeline.some(
    ({ message }) => message?.direction === 'out' && !message.isAutomatic && message.delivery !== 'failed',
  )
  const isSilent =
    law === 'us-ca' && totalCents !== null && isFirst && !statesAmount(`${subject}\n${text}`, totalCents)
  return isSilent ? [...findings, NO_TOTAL] : findings
}

const NO_TOTAL: AnswerFinding = {
  words: '',
  from: -1,
  message: 'The first written answer about a vehicle states its total price. Use “Insert price”.',
  severity: 'stops',
  source: TOTAL_FIRST,
}

const statesAmount = (text: string, cents: number): boolean =>
  [...text.matchAll(/\d[\d,]*(?:\.\d\d)?/g)].some(
    ([amount]) => Math.round(Number(amount.replaceAll(',', '')) * 100) === cents,
  )

/** Those that keep an email from being sent, unless its author says so. */
export const stopsAnswer = ({ severity }: AnswerFinding): boolean => severity === 'stops'

/** “299 a month”: A monthly payment also needs the APR. */
export const findingText = ({ words, message }: AnswerFinding): string =>
  words === '' ? message : `“${words}”: ${message}`
