import { getRouteApi } from '@tanstack/react-router'
import { CarbonWizard } from '../wizard/CarbonWizard.tsx'
import { EmissionTabs } from './EmissionTabs.tsx'
import './emission.css'

const route = getRouteApi('/shell/carbon/emission')

/** The third step: assignments, activity data and its review. */
export function EmissionStep() {
  const { inventory: id, tab = 'assignments' } = route.useSearch()
  return (
    <CarbonWizard
      id={id}
      current="emission"
      about="Emission sources, data owners and activity data."
      locked="Emission sources belong to facilities. Include a facility first."
    >
      {(inventory) => (
        // Holds the draft above the tabs, so that switching tabs loses nothing.
        <EmissionTabs key={inventory.id} inventory={inventory} tab={tab} />
      )}
    </CarbonWizard>
  )
}
