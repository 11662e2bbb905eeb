import type { AnswerValues } from '#contract/leads/reply-templates/fill-template.ts'
import type { LeadRecord } from '#contract/leads/inbox/leads.ts'
import { withDisclaimers } from '#contract/leads/inbox/price-in-answer.ts'
import { timeOf } from '../inbox/lead/lead-clock.ts'

type Answered = Pick<
  LeadRecord,
  'person' | 'vehicle' | 'vehicleTitle' | 'lotName' | 'ownName' | 'appointmentAt' | 'zone'
>

/** What a lead has for the variables of a template. */
export function answerValues(
  { person, vehicle, vehicleTitle, lotName, ownName, appointmentAt, zone }: Answered,
  now = Date.now(),
): AnswerValues {
  const { name, firstName } = person
  return {
    firstName: firstName ?? name?.split(/\s+/)[0] ?? null,
    name,
    vehicle: vehicle?.title ?? vehicleTitle,
    stock: vehicle?.stock ?? null,
    price: vehicle?.priceText ?? null,
    lot: lotName,
    salesperson: ownName,
    appointment: appointmentAt === null ? null : timeOf(Date.parse(appointmentAt), { now, zone }),
  }
}

/** The text with what was inserted, at its end if there is no place. The customer's texts for a price come with it, at the end of the text. */
export function insertAnswer(
  text: string,
  { words, at, lead: { vehicle } }: { words: string; at: number | null; lead: Pick<Answered, 'vehicle'> },
): { text: string; end: number } {
  const inserted = insertAt(text, words, at ?? text.length)
  if (vehicle === null || vehicle.priceText === null || !words.includes(vehicle.priceText)) return inserted
  return { ...inserted, text: withDisclaimers(inserted.text, vehicle.priceDisclaimers) }
}

/** Puts words into a text, with a space where two words would touch. `end`: the place after them. */
export function insertAt(text: string, words: string, at: number): { text: string; end: number } {
  const [before, after] = [text.slice(0, at), text.slice(at)]
  const space = before === '' || /\s$/.test(before) ? '' : ' '
  const start = `${before}${space}${words}`
  return { text: `${start}${after === '' || /^\s/.test(after) ? '' : ' '}${after}`, end: start.length }
}
