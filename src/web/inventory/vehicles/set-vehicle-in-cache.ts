import { dashboard } from '#contract/home/dashboard.ts'
import { type VehicleRecord, vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import { facets } from '#contract/lists/facets.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Puts a vehicle in place of the one that was loaded. */
export function setVehicleInCache(vehicle: VehicleRecord): void {
  queryClient.setQueryData([...keyOf(vehicles.get), { id: vehicle.id }], vehicle)
}

/** What a change of a vehicle shows in: the lists, its history and the figures of the dashboard. */
export async function invalidateVehicles(id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf(vehicles.list) }),
    queryClient.invalidateQueries({ queryKey: [...keyOf(vehicles.timeline), { id }] }),
    queryClient.invalidateQueries({ queryKey: [...keyOf(vehicles.prices), { id }] }),
    queryClient.invalidateQueries({ queryKey: keyOf(dashboard.get) }),
    queryClient.invalidateQueries({ queryKey: keyOf(facets.list) }),
  ])
}
