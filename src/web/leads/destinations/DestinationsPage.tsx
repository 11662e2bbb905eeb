import { IconPlus, IconSend } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type LeadDestination, leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LeadRoutingFrame } from '../routing/LeadRoutingFrame.tsx'
import { useRoutingLock } from '../routing/use-routing-settings.ts'
import { DestinationList } from './DestinationList.tsx'

const route = getRouteApi('/shell/customers/lead-routing/destinations')
/** Deliveries change the counts. */

const DestinationDrawer = lazy(async () => ({
  default: (await import('./DestinationDrawer.tsx')).DestinationDrawer,
}))

/** Where leads go, with how well it works; one opens in a drawer with its own URL. */
export function DestinationsPage() {
  const { destination } = route.useSearch()
  const { open, close, onCreated } = useListRoute('destination')
  const load = useLoad(live(query(leadDestinations.list, {}), 'queue'))
  const { data } = load
  const lock = useRoutingLock()
  const add = (
    <Action
      for={leadDestinations.add}
      lock={lock}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add destination
    </Action>
  )
  return (
    <LeadRoutingFrame tab="Destinations" context={data ? sumUp(data) : ''} actions={add}>
      {lock !== null && <Notice>{lock}</Notice>}
      <div className="fc-routing-scroll">
        <Loaded query={load} what="the destinations" shape="facts">
          {(loaded) => (
            <>
              {loaded.length === 0 && (
                <EmptyState
                  tone="brand"
                  icon={<IconSend size={18} />}
                  title="No destinations yet"
                  text="A destination is where leads go: a person, the team inbox, an email address, your CRM by ADF email, or a webhook. Rules choose among them."
                >
                  {add}
                </EmptyState>
              )}
              {loaded.length > 0 && (
                <DestinationList
                  destinations={loaded}
                  label="Destinations"
                  lock={lock}
                  selectedId={destination}
                  page="destinations"
                />
              )}
            </>
          )}
        </Loaded>
      </div>
      {destination !== undefined && (
        <Suspense>
          <DestinationDrawer key={destination} id={destination} onClose={close} onCreated={onCreated} />
        </Suspense>
      )}
    </LeadRoutingFrame>
  )
}

/** "6 destinations. 1 needs attention." */
function sumUp(destinations: readonly LeadDestination[]): string {
  if (destinations.length === 0) return ''
  const failing = destinations.filter(
    ({ isActive, failingSince, stoppedAt }) => isActive && (failingSince !== null || stoppedAt !== null),
  ).length
  const many = `${count(destinations.length, 'destination', 'destinations')}.`
  return failing === 0 ? many : `${many} ${failing === 1 ? '1 needs' : `${failing} need`} attention.`
}
