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
const ENDPOINTS: ReadonlySet<string> = new Set(
  listEndpoints(contract).flatMap(({ name, endpoint }) =>
    endpoint.writes && DOMAINS.has(name.split('.')[0] ?? '') ? [name] : [],
  ),
)

/** Whether a request to this endpoint may have requested new prices, so that the price worker should look now. */
export const affectsPrices = (endpoint: string): boolean => ENDPOINTS.has(endpoint)
