import { getRouteApi } from '@tanstack/react-router'
import { CarbonWizard } from '../wizard/CarbonWizard.tsx'
import { InventoryFacilities } from './InventoryFacilities.tsx'

const route = getRouteApi('/shell/carbon/facility')

/** The second step: which facilities are included, and at what percentage. */
export function InventoryFacilitiesStep() {
  const { inventory: id } = route.useSearch()
  return (
    <CarbonWizard
      id={id}
      current="facility"
      about="Which facilities are included, at what percentage and why."
    >
      {(inventory) => <InventoryFacilities key={inventory.id} inventory={inventory} />}
    </CarbonWizard>
  )
}
