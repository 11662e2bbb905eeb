import { getRouteApi } from '@tanstack/react-router'
import { LoadedRecord } from '#web/ui/record/KeptRecord.tsx'
import { CarbonWizard } from '../wizard/CarbonWizard.tsx'
import { StartForm } from './StartForm.tsx'

const route = getRouteApi('/shell/carbon/start')

/** The first step: of a new inventory, or of the one that is named. */
export function StartStep() {
  const { inventory: id } = route.useSearch()
  const navigate = route.useNavigate()
  const open = (created: string) =>
    void navigate({ search: { inventory: created }, replace: true, ignoreBlocker: true })
  return (
    <CarbonWizard
      id={id}
      current="start"
      about="What it is about, by what it is reckoned, and who answers for it."
      fresh={<StartForm inventory={null} onCreated={open} />}
    >
      {(inventory) => (
        <LoadedRecord key={`${inventory.id} ${inventory.status}`} record={inventory}>
          {(kept, keep) => <StartForm inventory={kept} onKept={keep} onCreated={open} />}
        </LoadedRecord>
      )}
    </CarbonWizard>
  )
}
