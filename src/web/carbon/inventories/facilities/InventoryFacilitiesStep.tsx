import { getRouteApi } from '@tanstack/react-router'
import { CarbonWizard } from '../wizard/CarbonWizard.tsx'
import { InventoryFacilities } from './InventoryFacilities.tsx'

const route = getRouteApi('/shell/carbon/facility')

/** The second step: which facilities are in the inventory, and how much of each counts. */
export function FacilityStep() {
  const { inventory: id } = route.useSearch()
  return (
    <CarbonWizard id={id} current="facility" about="Which facilities count, how much of each, and why.">
      {(inventory) => <InventoryFacilities key={inventory.id} inventory={inventory} />}
    </CarbonWizard>
  )
}
