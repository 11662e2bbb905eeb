import { type VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Replaces the cached vehicle with the response of a change. */
export function setVehicleInCache(vehicle: VehicleRecord): void {
  queryClient.setQueryData([...keyOf(vehicles.get), { id: vehicle.id }], vehicle)
}
