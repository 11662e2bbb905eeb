import {
  IconCircleDashedCheck,
  IconFileDownload,
  IconLockOpen,
  IconMapPin,
  IconTag,
  IconTrash,
} from '@tabler/icons-react'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { send } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { ask, askFor } from '#web/ui/overlay/dialogs.tsx'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'
import { askForBuyerDocuments } from './BuyerDocumentsForm.tsx'
import { VehicleLotChoice } from './VehicleLotChoice.tsx'
import { PriceChoice } from './PriceChoice.tsx'
import { StatusChoice } from './StatusChoice.tsx'

const unlockVehicles = send(vehicles.unlock)
const readUses = send(vehicles.uses)
const removeVehicles = send(vehicles.removeMany)

/** Bulk actions for vehicles. They can be undone. */
export const VEHICLE_ACTIONS: readonly BulkAction[] = [
  {
    id: 'status',
    label: 'Status',
    icon: <IconCircleDashedCheck size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: vehicles.change,
    choose: (selection, chosen) =>
      askFor<Job>('Change status', (answer) => (
        <StatusChoice selection={selection} vehicles={chosen} onAnswer={answer} />
      )),
  },
  {
    id: 'lot',
    label: 'Lot',
    icon: <IconMapPin size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: vehicles.change,
    choose: (selection, chosen) =>
      askFor<Job>('Move to another lot', (answer) => (
        <VehicleLotChoice selection={selection} vehicles={chosen} onAnswer={answer} />
      )),
  },
  {
    id: 'documents',
    label: 'Documents for buyers',
    icon: <IconFileDownload size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: vehiclePrices.documents,
    choose: (selection) => askForBuyerDocuments(selection),
  },
  {
    id: 'price',
    label: 'Price',
    icon: <IconTag size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: vehicles.change,
    choose: (selection, chosen) =>
      askFor<Job>('Change prices', (answer) => (
        <PriceChoice selection={selection} vehicles={chosen} onAnswer={answer} />
      )),
  },
  {
    id: 'unlock',
    label: 'Unlock',
    icon: <IconLockOpen size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: vehicles.unlock,
    ask: (_selection, chosen) =>
      ask({
        title: `Unlock ${count(chosen, 'vehicle', 'vehicles')}?`,
        text: 'All locked fields are unlocked, so feeds can change them again. You can undo this.',
        confirm: `Unlock ${count(chosen, 'vehicle', 'vehicles')}`,
      }),
    start: (selection) => unlockVehicles({ selection }),
  },
  {
    id: 'delete',
    label: 'Delete',
    icon: <IconTrash size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: vehicles.removeMany,
    tone: 'bad',
    ask: async (selection, chosen) => {
      const { uses } = await readUses({ selection }).catch(() => ({ uses: null }))
      const found = uses === null ? '' : `Buyers find some of them by ${uses}. `
      return ask({
        title: `Delete ${count(chosen, 'vehicle', 'vehicles')}?`,
        text: `${found}They are removed from all lists and channels. Their leads stay, without the vehicle. You can undo this.`,
        confirm: `Delete ${count(chosen, 'vehicle', 'vehicles')}`,
        isDestructive: true,
      })
    },
    start: (selection, _count, seen) => removeVehicles({ selection, ...seen }),
  },
]
