// The customers' own words that screens above use: amounts as people type them, and makes to choose from.
// Not here: lots and details themselves, which their pages read by the contract.
// Rules: contract/customers/details/details.ts.
export { parseMoney, typeMoney } from './details/money.ts'
export { MAKES } from './makes.ts'
