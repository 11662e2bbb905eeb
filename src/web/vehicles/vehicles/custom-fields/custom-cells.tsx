import type { ReactNode } from 'react'
import { type CustomField, customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { describeCustom } from './custom-labels.ts'

/** The cells of custom fields in the vehicle list. */
export function customCells(fields: readonly CustomField[]): Record<string, (vehicle: Vehicle) => ReactNode> {
  return Object.fromEntries(
    fields.map((field) => [
      customFieldName(field),
      (vehicle: Vehicle): ReactNode => {
        const text = describeCustom(field, vehicle)
        return text === null ? null : <bdi title={text}>{text}</bdi>
      },
    ]),
  )
}
