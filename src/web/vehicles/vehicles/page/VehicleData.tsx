import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { FieldGroups } from './FieldGroups.tsx'
import { PriceHistory } from './PriceHistory.tsx'
import { SourcePriceNote } from './SourcePriceNote.tsx'
import { VehicleFacts } from './VehicleFacts.tsx'
import { VinFacts } from './VinFacts.tsx'
import { missingFields } from '#contract/vehicles/vehicles/completeness.ts'
import { VEHICLE_FIELDS } from '#contract/vehicles/vehicles/vehicle-fields.ts'

/** All fields of a vehicle with their sources; next to them completeness, price history and VIN decode. */
export function VehicleData({ vehicle }: { vehicle: VehicleRecord }) {
  return (
    <div className="fc-vehicle-body">
      <div className="fc-vehicle-main">
        <SourcePriceNote vehicle={vehicle} />
        <VehicleFacts vehicle={vehicle} />
        <FieldGroups vehicle={vehicle} />
      </div>
      <div className="fc-vehicle-aside">
        <CompletenessCard vehicle={vehicle} />
        <PriceHistory vehicle={vehicle} />
        <VinFacts vin={vehicle.vin} vehicle={vehicle} />
      </div>
    </div>
  )
}

/** How complete a vehicle's data is, and what each missing field would add. */
function CompletenessCard({ vehicle }: { vehicle: VehicleRecord }) {
  const { completeness } = vehicle
  const missing = missingFields(vehicle)
  return (
    <section className="fc-side-card">
      <h2>Completeness</h2>
      <p className="fc-completeness">
        <b className="fc-number">
          <bdi>{completeness}%</bdi>
        </b>
        <span className="fc-score-bar" aria-hidden="true">
          <span style={{ inlineSize: `${completeness}%` }} />
        </span>
      </p>
      {missing.length === 0 ? (
        <p className="fc-small fc-soft">All key details filled in.</p>
      ) : (
        <>
          <p className="fc-small fc-soft">Missing details and what each would add:</p>
          <ul className="fc-missing-fields">
            {missing.map(({ name, weight }) => (
              <li key={name}>
                <span>{VEHICLE_FIELDS[name].title}</span>
                <bdi className="fc-number fc-soft">+{weight}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
