import type { Holiday, OpeningHours } from '#contract/opening-hours.ts'
import type { Block } from '../pages/blocks.ts'
import type { SiteVehicle, Store } from './site.ts'

/** A lot as a page shows it. */
export type PageLot = Store & Readonly<{ hours: OpeningHours; holidays: readonly Holiday[]; zone: string }>

/**
 * The vehicles of a block. `path`: of the list with all of them; null for those that were chosen one by one. `similar`: what is for
 * sale in place of the only vehicle of a block if it no longer is.
 */
export type PageVehicles = Readonly<{
  shown: readonly SiteVehicle[]
  total: number
  path: string | null
  similar?: readonly SiteVehicle[]
}>

/** A promo page with everything that its blocks show, for all visitors alike. */
export type PromoPageContent = Readonly<{
  slug: string
  title: string
  description: string | null
  /** Those of the layout and of the page, in their order. */
  blocks: readonly Block[]
  /** By block. */
  vehicles: Readonly<Record<string, PageVehicles>>
  /** By lot, only those that buyers see. */
  lots: Readonly<Record<string, PageLot>>
  /** The customer's, for the prices and offers of the vehicles that its blocks show. */
  disclaimers: readonly string[]
  /** Of the customer. */
  zone: string
}>
