import type { PriceSurface } from '#contract/channels/listings/price-surface.ts'
import { DOCUMENT_PRICE_SURFACES } from './channels/index.ts'
import { INVENTORY_PRICE_SURFACES } from './pricing/index.ts'
import { LEAD_PRICE_SURFACES } from './leads/index.ts'
import { SITE_PRICE_SURFACES } from './marketing/index.ts'

/**
 * Every place where buyers read the price of a vehicle. A new one, such as a public vehicle page or an email, is added here by
 * the domain that prints it; `price-surfaces.test.ts` then checks what it prints.
 */
export const PRICE_SURFACES: readonly PriceSurface[] = [
  ...INVENTORY_PRICE_SURFACES,
  ...DOCUMENT_PRICE_SURFACES,
  ...LEAD_PRICE_SURFACES,
  ...SITE_PRICE_SURFACES,
]
