import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { CompletenessCard } from './CompletenessCard.tsx'
import { FieldGroups } from './FieldGroups.tsx'
import { PriceHistory } from './PriceHistory.tsx'
import { VehicleFacts } from './VehicleFacts.tsx'
import { VinFacts } from './VinFacts.tsx'

/** All fields of a vehicle with their sources; next to them completeness, price history and VIN decode. */
export function VehicleData({ vehicle }: { vehicle: VehicleRecord }) {
  return (
    <div className="fc-vehicle-body">
      <div className="fc-vehicle-main">
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
