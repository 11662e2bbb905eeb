import { besideName } from './beside-name.ts'
import { lastDayText } from './last-day.ts'
import type { Offer } from '../rules/evaluate-price.ts'

/** An amount that a buyer may get in addition, such as an offer for students, in the words of pages, documents and the proof of price. */
export type BuyerOffer = Readonly<{
  name: string
  /** Integer cents. Never subtracted from the price. */
  cents: number
  /** Who gets it, and until when. May be empty. */
  about: string
  disclaimer: string | null
}>

/** Offers as buyers read them. The name that users gave the rule stays in the office. */
export const buyerOffers = (
  offers: readonly Pick<Offer, 'label' | 'cents' | 'qualifier' | 'disclaimer' | 'until' | 'isRebate'>[],
): BuyerOffer[] =>
  offers.map(({ label, cents, qualifier, disclaimer, until, isRebate }) => {
    // Without a name for buyers, the name of a rebate says who gets it.
    const who = isRebate && label !== null ? 'for every buyer' : qualifier
    const name = label ?? (isRebate ? 'Rebate for every buyer' : 'Offer')
    const isSaid = isRebate && label === null
    const about = [isSaid ? null : besideName(name, who ?? ''), until && `until ${lastDayText(until)}`]
    return {
      name,
      cents,
      about: about.filter((part) => part !== null && part !== '').join(', '),
      disclaimer,
    }
  })
