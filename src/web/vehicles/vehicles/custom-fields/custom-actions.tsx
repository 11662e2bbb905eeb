import { IconForms } from '@tabler/icons-react'
import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { send } from '#web/api/query.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'
import { startConfirmingPrices } from '../confirm-prices.ts'
import type { CustomChange } from './custom-change.ts'
import { CustomChoice } from './CustomChoice.tsx'

const changeVehicles = send(vehicles.change)

/** A bulk action that sets a custom field; it can be undone. */
export function customActions(fields: readonly CustomField[]): BulkAction[] {
  if (fields.length === 0) return []
  return [
    {
      id: 'custom',
      label: 'Custom field',
      icon: <IconForms size={16} stroke={1.6} aria-hidden="true" />,
      endpoint: vehicles.change,
      choose: async (count) => {
        const change = await askFor<CustomChange>('Change custom field', (answer) => (
          <CustomChoice fields={fields} vehicles={count} onAnswer={answer} />
        ))
        return (
          change &&
          ((selection) =>
            startConfirmingPrices((confirmPrices) => changeVehicles({ selection, change, confirmPrices })))
        )
      },
    },
  ]
}
