// Owns the screens of vehicles, feeds, channels and prices; exports the format of prices and the photo of a vehicle.
// Does not own the data, which other pages read through the contract.
// Rules: contract/inventory/vehicles/vehicles.ts.
export { formatPrice } from './vehicles/vehicle-labels.ts'
export { RowPicture } from './vehicles/photos/RowPicture.tsx'
