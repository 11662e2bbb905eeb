// Owns the screens of vehicles; exports the format of prices, the link from a price to its explanation, the photo of a
// vehicle, and what the screens of prices, feeds and channels show about a vehicle.
// Rules: contract/vehicles/vehicles/vehicles.ts.
export { askForBuyerDocuments } from './vehicles/BuyerDocumentsForm.tsx'
export { PriceLink } from './vehicles/PriceLink.tsx'
export { useCustomFields } from './vehicles/custom-fields/use-custom-fields.ts'
export { PriceHistory } from './vehicles/page/PriceHistory.tsx'
export { describeSource } from './vehicles/page/field-groups.ts'
export { RowPicture } from './vehicles/photos/RowPicture.tsx'
export { STATUS_NAMES, formatPrice } from './vehicles/vehicle-labels.ts'
