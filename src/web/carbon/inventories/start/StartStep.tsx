import { getRouteApi } from '@tanstack/react-router'
import { CarbonWizard } from '../wizard/CarbonWizard.tsx'
import { StartForm } from './StartForm.tsx'

const route = getRouteApi('/shell/carbon/start')

/** The first step, for a new inventory or the one in the URL. */
export function StartStep() {
  const { inventory: id } = route.useSearch()
  const navigate = route.useNavigate()
  const open = (created: string) =>
    void navigate({ search: { inventory: created }, replace: true, ignoreBlocker: true })
  return (
    <CarbonWizard
      id={id}
      current="start"
      about="Period, method and owners."
      fresh={<StartForm inventory={null} onCreated={open} />}
    >
      {(inventory) => (
        <StartForm key={`${inventory.id} ${inventory.status}`} inventory={inventory} onCreated={open} />
      )}
    </CarbonWizard>
  )
}
