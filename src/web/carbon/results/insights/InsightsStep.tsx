import { getRouteApi } from '@tanstack/react-router'
import { CarbonWizard } from '#web/carbon/inventories/wizard/CarbonWizard.tsx'
import { InsightsView } from './InsightsView.tsx'

const route = getRouteApi('/shell/carbon/insights')

/** The fourth step: what the figures say. */
export function InsightsStep() {
  const { inventory: id } = route.useSearch()
  return (
    <CarbonWizard
      id={id}
      current="insights"
      about="What the figures say, and how much of what was expected stands behind them."
      locked="What it says follows from its sources. Assign some first."
    >
      {(inventory) => <InsightsView key={inventory.id} inventory={inventory} />}
    </CarbonWizard>
  )
}
