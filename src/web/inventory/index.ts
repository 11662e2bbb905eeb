// Owns the screens of vehicles, feeds, channels and prices; exports the format of prices, the link from a
// price to its explanation, and the photo of a vehicle.
// Does not own the data, which other pages read through the contract.
// Rules: contract/inventory/vehicles/vehicles.ts.
export { formatPrice } from './vehicles/vehicle-labels.ts'
export { PriceLink } from './vehicles/PriceLink.tsx'
export { RowPicture } from './vehicles/photos/RowPicture.tsx'
