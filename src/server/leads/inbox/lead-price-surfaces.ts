import {
  centsIn,
  type PriceSurface,
  type PrintedAmount,
  type SurfaceInput,
} from '#contract/channels/listings/price-surface.ts'
import { priceInAnswer, withDisclaimers } from '#contract/leads/inbox/price-in-answer.ts'
import { type DeliveredLead, sampleLead } from '../deliveries/delivered-lead.ts'
import { leadAdf } from '../deliveries/lead-adf.ts'
import { leadJson, leadText } from '../deliveries/lead-documents.ts'

const AMOUNTS = /\$[\d,]+(?:\.\d\d)?/g

/** What is delivered about a lead whose buyer saw the listing's price. */
function deliveredWith({ listing: { quote } }: SurfaceInput): DeliveredLead | null {
  return quote && { ...sampleLead('Cars', '2026-11-24T17:30:00Z'), priceCents: quote.totalCents }
}

const textOfLead = (write: (lead: DeliveredLead) => string) => (input: SurfaceInput) => {
  const lead = deliveredWith(input)
  return lead === null ? '' : write(lead)
}

function answerOf({ listing: { quote, price }, vehicle, disclaimers }: SurfaceInput): string {
  if (quote === null || price === null) return ''
  const title = [vehicle.year, vehicle.make, vehicle.model, vehicle.trim].filter(Boolean).join(' ')
  const { totalCents, sentence } = quote
  const stated = priceInAnswer({ title, totalCents, currency: price.currency, sentence })
  return withDisclaimers(stated, [...disclaimers])
}

const prominent = (texts: readonly string[]): PrintedAmount[] =>
  texts.map((text) => ({ cents: centsIn(text) ?? 0, prominence: 1 }))

/** Every number of a JSON document whose name says that it is an amount, however deep. */
const NAMED_AMOUNTS = /"\w*(?:cents|price|amount|msrp)\w*":(-?\d+)/gi

/**
 * The amounts that an answer to a buyer contains ("Insert price" in the inbox writes nothing else, besides disclaimers), and those in the emails,
 * webhook calls and ADF documents of lead deliveries, from which other systems answer.
 */
export const LEAD_PRICE_SURFACES: readonly PriceSurface[] = [
  {
    name: 'price in an answer to a lead',
    text: answerOf,
    amounts: (input) =>
      prominent([...answerOf({ ...input, disclaimers: [] }).matchAll(AMOUNTS)].map(([amount]) => amount)),
  },
  {
    name: 'email about a lead',
    text: textOfLead(leadText),
    amounts: (input) => {
      const lead = deliveredWith(input)
      return lead === null ? [] : prominent([...leadText(lead).matchAll(AMOUNTS)].map(([amount]) => amount))
    },
  },
  {
    name: 'webhook call about a lead',
    text: textOfLead(leadJson),
    amounts: (input) => {
      const lead = deliveredWith(input)
      if (lead === null) return []
      return [...leadJson(lead).matchAll(NAMED_AMOUNTS)].map(([, cents]) => ({
        cents: Number(cents),
        prominence: 1,
      }))
    },
  },
  {
    name: 'ADF document of a lead',
    text: textOfLead((lead) => leadAdf(lead, 'key')),
    amounts: (input) => {
      const lead = deliveredWith(input)
      const prices = lead === null ? [] : leadAdf(lead, 'key').matchAll(/<price[^>]*>([^<]+)<\/price>/g)
      return prominent([...prices].flatMap(([, amount]) => amount ?? []))
    },
  },
]
