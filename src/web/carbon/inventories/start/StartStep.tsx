import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { query } from '#web/api/query.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { CarbonWizard } from '../wizard/CarbonWizard.tsx'
import { StartForm } from './StartForm.tsx'

/** The newest inventories, more than an organization has. */
const MANY = 100
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
      fresh={<FreshStart onCreated={open} />}
    >
      {(inventory) => (
        <StartForm key={`${inventory.id} ${inventory.status}`} inventory={inventory} onCreated={open} />
      )}
    </CarbonWizard>
  )
}

/** The form of a new inventory, which proposes a period that none has. Without the others it proposes the usual one. */
function FreshStart({ onCreated }: { onCreated: (id: string) => void }) {
  const others = useQuery(query(carbonInventories.list, { pageSize: MANY }))
  if (others.isPending) return <Spinner label="Loading the inventories" />
  return <StartForm inventory={null} others={others.data?.results ?? []} onCreated={onCreated} />
}
