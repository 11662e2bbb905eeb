// Vehicles own the vehicles, their photos, custom field values and history, and VIN decoding.
// They do not own prices (pricing), how vehicles arrive (feeds) or leave (channels), or the lots (customers).
// Their rules come from the specification, section 2, and docs/decisions.
export { bulkPriceJob } from './vehicles/bulk-prices.ts'
export { priceJob } from './vehicles/change-prices.ts'
export { changeVehiclesHandlers, vehicleJob } from './vehicles/change-vehicles.ts'
export { customJob } from './vehicles/custom-fields/change-custom.ts'
export { customFieldHandlers } from './vehicles/custom-fields/custom-fields.ts'
export { lockVehicle, makeVehicleEditing } from './vehicles/edit-vehicle.ts'
export { makeVehicleCells } from './vehicles/grid/edit-cells.ts'
export { fetchPhoto, isHostDown } from './vehicles/photos/fetch-photo.ts'
export { type CopiedPhotos, readCopiedPlaces } from './vehicles/photos/copies/copied-photos.ts'
export { makePhotoCopying, type PhotoCopying } from './vehicles/photos/copies/photo-copying.ts'
export { findPhotoUses, vehiclePhotoHandlers } from './vehicles/photos/vehicle-photos.ts'
export {
  type CustomerPriceLimits,
  describeUnusual,
  readPriceLimits,
  requirePriceConfirmation,
} from './vehicles/price-limits.ts'
export { removeVehiclesHandlers, removeVehiclesJob } from './vehicles/remove-vehicles.ts'
export { makeVehicleRestoring } from './vehicles/restore-vehicle.ts'
export { unlockVehiclesHandlers, unlockVehiclesJob } from './vehicles/unlock-vehicles.ts'
export { isInStock, isOutOfStock } from './vehicles/stock-status.ts'
export { daysInStock, isPublishedOnLot, seesCost } from './vehicles/vehicle-json.ts'
export { ruleProblem, ruleSql } from './vehicles/vehicle-rules.ts'
export { makeVehicleHistory } from './vehicles/vehicle-timeline.ts'
export { findableVehicles, readVehicle, vehicleReading, vehicleSource } from './vehicles/vehicles.ts'
export { vehicleUses } from './vehicles/vehicle-uses.ts'
export { vinHandlers } from './vin/decode-handlers.ts'
export { decodeVin } from './vin/decode-vin.ts'
export type { RunNames } from './vehicles/run-names.ts'
export { movesOpposite } from './vehicles/vehicle-prices.ts'
export type {
  BeforeAfter,
  BulkChange,
  PriceEffect,
  SellingPrices,
  VehiclePrices,
} from './vehicles/vehicle-prices.ts'
