import { can, Func, Opr } from '#contract/permissions.ts'
import { VEHICLE_FIELDS, type VehicleFieldName } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useToday } from '#web/session/use-today.ts'
import { CustomGroup } from '../custom-fields/CustomGroup.tsx'
import { FIELD_GROUPS, readField, describeSource } from './field-groups.ts'
import { LockButton } from './LockButton.tsx'

const NEEDED_FOR_COST = can(Func.vehicleCost, Opr.list)
const COSTS: readonly VehicleFieldName[] = ['cost', 'invoice']

/** All fields in groups, each with its value, source and lock. */
export function FieldGroups({ vehicle }: { vehicle: VehicleRecord }) {
  const holds = useHolds()
  const today = useToday()
  const seesCost = holds(NEEDED_FOR_COST) === true
  return (
    <div className="fc-vehicle-fields">
      {FIELD_GROUPS.map(({ title, names }) => (
        <section key={title} className="fc-field-group">
          <h2>{title}</h2>
          <dl>
            {names
              .filter((name) => seesCost || !COSTS.includes(name))
              .map((name) => (
                <Field key={name} vehicle={vehicle} name={name} today={today} />
              ))}
          </dl>
        </section>
      ))}
      <CustomGroup vehicle={vehicle} />
    </div>
  )
}

type FieldProps = { vehicle: VehicleRecord; name: VehicleFieldName; today: string }

function Field({ vehicle, name, today }: FieldProps) {
  const { title, kind } = VEHICLE_FIELDS[name]
  const value = readField(vehicle, name, { today })
  const source = describeSource(vehicle.provenance[name])
  return (
    <div className="fc-vehicle-field">
      <dt>{title}</dt>
      <dd>
        <span className={kind === 'longText' ? 'fc-field-text' : undefined}>
          {value === null ? <span className="fc-faint">Not set</span> : <bdi>{value}</bdi>}
        </span>
        {source !== '' && (
          <span className="fc-field-source">
            <bdi>{source}</bdi>
          </span>
        )}
        <LockButton vehicle={vehicle} name={name} title={title} />
      </dd>
    </div>
  )
}
