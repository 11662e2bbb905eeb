// Pricing owns price rules, stored and advertised prices, and the explanation of a vehicle's price.
// It does not own the vehicles and their price limits (vehicles), or the fees and price laws of a customer (customers).
// Its rules come from the specification, section 2, and docs/decisions.
export {
  type ListedVehicle,
  advertisePrices,
  advertisedPriceHandlers,
  advertisedSource,
  stagePrices,
  stopAdvertising,
  sweepAdvertisedPrices,
} from './advertised/advertised-prices.ts'
export { INVENTORY_PRICE_SURFACES } from './advertised/inventory-price-surfaces.ts'
export { isOnCosts } from './rules/cost-rules.ts'
export { lotMinutes } from './rules/lot-minutes.ts'
export { insertRule, pricingRuleHandlers, pricingRuleSource } from './rules/pricing-rules.ts'
export { ruleFileHandlers } from './rules/rule-files.ts'
export { ruleRequestHandlers } from './requests/rule-requests.ts'
export { requireSettingConsent, requireZoneConsent } from './requests/setting-effects.ts'
export { matchedRules, readActiveRules, specialPrice, toPriceRule } from './rules/rule-rows.ts'
export { makePriceWorker } from './stored/price-worker.ts'
export { storeAllPrices } from './stored/store-prices.ts'
export { vehiclePrices } from './stored/vehicle-prices.ts'
export { readPriceEnd, vehiclePriceHandlers } from './totals/vehicle-price.ts'
