import type { SiteOffer } from '#contract/marketing/site/site.ts'
import { offerName } from '#contract/pricing/advertised/buyer-price.ts'
import type { Offer } from '#contract/pricing/rules/evaluate-price.ts'

/** Offers as buyers read them: without the name that the rule has in the office. */
export const siteOffers = (offers: readonly Offer[]): SiteOffer[] =>
  offers.map((offer) => ({
    name: offerName(offer),
    cents: offer.cents,
    qualifier: offer.qualifier,
    disclaimer: offer.disclaimer,
    until: offer.until,
  }))
