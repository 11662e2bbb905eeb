import { dashboard } from '#contract/home/dashboard.ts'
import { vehiclePrices } from '#contract/inventory/pricing/vehicle-price.ts'
import { type VehicleRecord, vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import { facets } from '#contract/lists/facets.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Replaces the cached vehicle. */
export function setVehicleInCache(vehicle: VehicleRecord): void {
  queryClient.setQueryData([...keyOf(vehicles.get), { id: vehicle.id }], vehicle)
}

/** Reloads what depends on a vehicle: lists, its history, and the dashboard. */
export async function invalidateVehicles(id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf(vehicles.list) }),
    queryClient.invalidateQueries({ queryKey: [...keyOf(vehicles.timeline), { id }] }),
    queryClient.invalidateQueries({ queryKey: [...keyOf(vehicles.prices), { id }] }),
    queryClient.invalidateQueries({ queryKey: [...keyOf(vehiclePrices.get), { id }] }),
    queryClient.invalidateQueries({ queryKey: keyOf(dashboard.get) }),
    queryClient.invalidateQueries({ queryKey: keyOf(facets.list) }),
  ])
}
