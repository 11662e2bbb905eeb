// Owns the screens of customers, lots and details; exports amount parsing and the list of makes.
// Does not own the data, which other pages read through the contract.
// Rules: contract/customers/details/details.ts.
export { parseMoney, typeMoney } from './details/money.ts'
export { MAKES } from './makes.ts'
