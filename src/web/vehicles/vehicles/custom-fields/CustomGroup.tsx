import { customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { describeSource } from '../page/field-groups.ts'
import { LockButton } from '../page/LockButton.tsx'
import { describeCustom } from './custom-labels.ts'
import { useCustomFields } from './use-custom-fields.ts'

/** The custom fields on the vehicle page, with the source and lock of each value. */
export function CustomGroup({ vehicle }: { vehicle: VehicleRecord }) {
  const { fields } = useCustomFields()
  if (fields.length === 0) return null
  return (
    <section className="fc-field-group">
      <h2>Custom fields</h2>
      <dl>
        {fields.map((field) => {
          const name = customFieldName(field)
          const value = describeCustom(field, vehicle)
          const source = describeSource(vehicle.provenance[name])
          return (
            <div key={name} className="fc-vehicle-field">
              <dt>{field.name}</dt>
              <dd>
                <span>{value === null ? <span className="fc-faint">Not set</span> : <bdi>{value}</bdi>}</span>
                {source !== '' && (
                  <span className="fc-field-source">
                    <bdi>{source}</bdi>
                  </span>
                )}
                <LockButton vehicle={vehicle} name={name} title={field.name} />
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
