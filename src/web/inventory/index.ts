// Owns the screens of vehicles, feeds, channels and prices; exports the format of prices.
// Does not own the data, which other pages read through the contract.
// Rules: contract/inventory/vehicles/vehicles.ts.
export { formatPrice } from './vehicles/vehicle-labels.ts'
