// Inventory owns the vehicles and what is known of them.
// It does not own the lots they stand on (customers) nor how they are advertised (marketing).
// Its rules come from the specification, section 2, and docs/decisions.
export { addVehicles, type NewVehicle } from './add-vehicles.ts'
export { changeVehiclesHandlers, vehicleJob } from './change-vehicles.ts'
export { decodeVin } from './vin/decode-vin.ts'
export { vinHandlers } from './vin/decode-handlers.ts'
export { vehicleEditing } from './edit-vehicle.ts'
export { vehicleRestoring } from './restore-vehicle.ts'
export { vehicleHistory } from './vehicle-timeline.ts'
export { addProviderMapping, providerMappingHandlers } from './provider-mappings.ts'
export { providerMappingSource } from './provider-mappings-list.ts'
export { findableVehicles, vehicleReading, vehicleSource } from './vehicles.ts'
