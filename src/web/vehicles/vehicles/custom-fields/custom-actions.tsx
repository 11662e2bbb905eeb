import { IconForms } from '@tabler/icons-react'
import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'
import { CustomChoice } from './CustomChoice.tsx'

/** A bulk action that sets a custom field; it can be undone. */
export function customActions(fields: readonly CustomField[]): BulkAction[] {
  if (fields.length === 0) return []
  return [
    {
      id: 'custom',
      label: 'Custom field',
      icon: <IconForms size={16} stroke={1.6} aria-hidden="true" />,
      endpoint: vehicles.change,
      choose: (selection, count) =>
        askFor<Job>('Change custom field', (answer) => (
          <CustomChoice fields={fields} selection={selection} vehicles={count} onAnswer={answer} />
        )),
    },
  ]
}
