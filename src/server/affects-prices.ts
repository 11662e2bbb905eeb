import { listEndpoints } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'

/** What the triggers of `price_requests` watch, by the domain that changes it. */
const DOMAINS: ReadonlySet<string> = new Set([
  'customerDetails',
  'customers',
  'lots',
  'organizations',
  'pricingRules',
  'ruleFiles',
  'ruleRequests',
  'vehiclePrices',
  'vehicles',
])
const writesOf = (domains: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    listEndpoints(contract).flatMap(({ name, endpoint }) =>
      endpoint.writes && domains.has(name.split('.')[0] ?? '') ? [name] : [],
    ),
  )
const ENDPOINTS = writesOf(DOMAINS)
/** What takes vehicles, forms and whole sites from the public. */
const SITE_ENDPOINTS = writesOf(
  new Set(['customers', 'forms', 'lots', 'organizations', 'vehicles', 'whiteLabels']),
)

/** Whether a request to this endpoint may have requested new prices, so that the price worker should look now. */
export const affectsPrices = (endpoint: string): boolean => ENDPOINTS.has(endpoint)

/** Whether a request to this endpoint may have taken something from a public site, so that kept pages are checked now. */
export const affectsSites = (endpoint: string): boolean => SITE_ENDPOINTS.has(endpoint)
