import { IconCircleDashedCheck, IconMapPin } from '@tabler/icons-react'
import { vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import { send } from '#web/api/query.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'
import { VehicleLotChoice } from './VehicleLotChoice.tsx'
import { type StatusChange, StatusChoice } from './StatusChoice.tsx'

const changeVehicles = send(vehicles.change)

/** Bulk actions for vehicles. They need no confirmation because they can be undone. */
export const VEHICLE_ACTIONS: readonly BulkAction[] = [
  {
    id: 'status',
    label: 'Status',
    icon: <IconCircleDashedCheck size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: vehicles.change,
    choose: async (count) => {
      const change = await askFor<StatusChange>('Change status', (answer) => (
        <StatusChoice vehicles={count} onAnswer={answer} />
      ))
      return change && ((selection) => changeVehicles({ selection, change }))
    },
  },
  {
    id: 'lot',
    label: 'Lot',
    icon: <IconMapPin size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: vehicles.change,
    choose: async (count) => {
      const lotId = await askFor<string>('Move to another lot', (answer) => (
        <VehicleLotChoice vehicles={count} onAnswer={answer} />
      ))
      return lotId === null ? null : (selection) => changeVehicles({ selection, change: { lotId } })
    },
  },
]
