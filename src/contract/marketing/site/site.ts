import type { VehicleListing } from '#contract/channels/listings/vehicle-listing.ts'
import type { FormTranslations } from '#contract/marketing/forms/form-texts.ts'
import type { Facet, VehicleSearch } from './vehicle-search.ts'

/** A public site: the pages of one customer on one of its public domains. */
export type Site = Readonly<{
  customerId: string
  host: string
  title: string
  /** Path of a picture on this server. */
  logo: string | null
  favicon: string | null
  /** Sanitized HTML. */
  footer: string
  brand: string
}>

/** A form that the menu of the site leads to. `organizationId`: of the store that it is for; null: of all. */
export type MenuForm = Readonly<{
  key: string
  /** In the first of `languages`. */
  name: string
  languages: readonly string[]
  translations: FormTranslations
  organizationId: string | null
}>

/** A page that visitors may open. `revision`: changes with what it shows. */
export type PageLink = Readonly<{
  slug: string
  title: string
  isHome: boolean
  isInMenu: boolean
  isInFooter: boolean
  changedOn: string
  revision: string
}>

/** A vehicle in a list of the site. Money is in integer cents. */
export type SiteVehicle = Readonly<{
  listing: VehicleListing
  path: string
  /** The first photo; null without one. */
  picture: Readonly<{ url: string; alt: string }> | null
}>

/** One value of a facet with the number of vehicles that choosing it would list. */
export type FacetValue = Readonly<{ value: string; label: string; count: number }>

/** One page of search results. */
export type SearchResult = Readonly<{
  /** With its values as vehicles have them. */
  search: VehicleSearch
  /** Nothing has the words of the search. These have words that are spelled like them. */
  isClose: boolean
  vehicles: readonly SiteVehicle[]
  /** The customer's, for these vehicles. */
  disclaimers: readonly string[]
  total: number
  pages: number
  facets: Readonly<Record<Facet, readonly FacetValue[]>>
}>

/** Where buyers reach the seller. */
export type Store = Readonly<{
  name: string
  address: string
  phone: string | null
}>
