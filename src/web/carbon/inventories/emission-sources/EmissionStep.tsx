import { getRouteApi } from '@tanstack/react-router'
import { CarbonWizard } from '../wizard/CarbonWizard.tsx'
import { EmissionTabs } from './EmissionTabs.tsx'
import './emission.css'

const route = getRouteApi('/shell/carbon/emission')

/** The third step: who brings the figures of what, the figures, and their review. */
export function EmissionStep() {
  const { inventory: id, tab = 'assignments' } = route.useSearch()
  return (
    <CarbonWizard
      id={id}
      current="emission"
      about="What emits where, and who brings its figures."
      locked="Sources belong to facilities. Include one first."
    >
      {(inventory) => (
        // The draft stands above the tabs: going from one to another leaves nothing behind.
        <EmissionTabs key={inventory.id} inventory={inventory} tab={tab} />
      )}
    </CarbonWizard>
  )
}
