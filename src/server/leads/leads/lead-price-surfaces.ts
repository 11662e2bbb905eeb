import { centsIn, type PriceSurface } from '#contract/inventory/pricing/price-surface.ts'
import { priceInAnswer } from '#contract/leads/leads/price-in-answer.ts'

/** The amounts that an answer to a buyer contains. "Insert price" in the inbox writes nothing else. */
export const LEAD_PRICE_SURFACES: readonly PriceSurface[] = [
  {
    name: 'price in an answer to a lead',
    amounts: ({ listing, vehicle }) => {
      const { quote, price } = listing
      if (quote === null || price === null) return []
      const title = [vehicle.year, vehicle.make, vehicle.model, vehicle.trim].filter(Boolean).join(' ')
      const { currency } = price
      const text = priceInAnswer({ title, totalCents: quote.totalCents, currency, sentence: quote.sentence })
      return [...text.matchAll(/\$[\d,]+(?:\.\d\d)?/g)].map(([amount]) => ({
        cents: centsIn(amount) ?? 0,
        prominence: 1 as const,
      }))
    },
  },
]
