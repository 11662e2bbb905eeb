import type { Vehicle } from '#contract/inventory/vehicles.ts'
import type { GridChoice, GridColumn } from '#web/ui/grid/grid-column.ts'
import { nameVehicle, STATUS_NAMES } from '../vehicles/vehicle-words.ts'

const STATUSES: readonly GridChoice[] = [...STATUS_NAMES].map(([value, label]) => ({ value, label }))

/** The columns of the grid. `lots` are those that can be chosen; the vehicles' own are among them in any case. */
export function columnsOf(vehicles: readonly Vehicle[], lots: readonly GridChoice[]): GridColumn[] {
  const byId = new Map(vehicles.map((vehicle) => [vehicle.id, vehicle]))
  const nameOf = (id: string) => {
    const vehicle = byId.get(id)
    return vehicle ? [nameVehicle(vehicle), vehicle.trim].filter(Boolean).join(' ') : ''
  }
  const own = new Map(vehicles.map(({ lotId, lotName }) => [lotId, { value: lotId, label: lotName }]))
  for (const lot of lots) own.set(lot.value, { ...own.get(lot.value), ...lot })
  return [
    {
      key: 'name',
      title: 'Vehicle',
      kind: 'text',
      width: 216,
      isFixed: true,
      text: ({ key }) => nameOf(key),
    },
    {
      key: 'vin',
      title: 'VIN',
      kind: 'text',
      width: 168,
      isFixed: true,
      text: ({ key }) => byId.get(key)?.vin ?? '',
    },
    { key: 'stock', title: 'Stock', kind: 'text', width: 108 },
    { key: 'priceCents', title: 'Price', kind: 'number', width: 104 },
    { key: 'status', title: 'Status', kind: 'choice', width: 132, choices: STATUSES },
    { key: 'statusReason', title: 'Reason', kind: 'text', width: 168 },
    { key: 'lotId', title: 'Lot', kind: 'choice', width: 168, choices: [...own.values()] },
    { key: 'tags', title: 'Tags', kind: 'text', width: 184 },
  ]
}
