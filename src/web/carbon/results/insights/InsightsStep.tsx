import { getRouteApi } from '@tanstack/react-router'
import { CarbonWizard } from '#web/carbon/inventories/wizard/CarbonWizard.tsx'
import { InsightsView } from './InsightsView.tsx'

const route = getRouteApi('/shell/carbon/insights')

/** The fourth step: totals, charts and coverage. */
export function InsightsStep() {
  const { inventory: id } = route.useSearch()
  return (
    <CarbonWizard
      id={id}
      current="insights"
      about="Total emissions, what drives them, and data coverage."
      locked="Insights need emission sources. Assign sources first."
    >
      {(inventory) => <InsightsView key={inventory.id} inventory={inventory} />}
    </CarbonWizard>
  )
}
