import type { ReactNode } from 'react'
import { type CustomField, customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import type { Vehicle } from '#contract/inventory/vehicles/vehicles.ts'
import { describeCustom } from './custom-labels.ts'

/** How the customer's own fields look as columns of the list. */
export function customCells(fields: readonly CustomField[]): Record<string, (vehicle: Vehicle) => ReactNode> {
  return Object.fromEntries(
    fields.map((field) => [
      customFieldName(field),
      (vehicle: Vehicle): ReactNode => {
        const words = describeCustom(field, vehicle)
        return words === null ? null : <bdi title={words}>{words}</bdi>
      },
    ]),
  )
}
