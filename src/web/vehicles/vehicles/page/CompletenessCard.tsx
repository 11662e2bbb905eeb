import { missingFields } from '#contract/vehicles/vehicles/completeness.ts'
import { VEHICLE_FIELDS } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'

/** How complete a vehicle's data is, and what each missing field would add. */
export function CompletenessCard({ vehicle }: { vehicle: VehicleRecord }) {
  const { completeness } = vehicle
  const missing = missingFields(vehicle)
  return (
    <section className="fc-side-card">
      <h2>Completeness</h2>
      <p className="fc-score">
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
