import { IconSend } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import {
  LEAD_DELIVERY_LIST,
  type LeadDelivery,
  leadDeliveries,
} from '#contract/leads/deliveries/lead-deliveries.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { LEAD_ROUTING, LeadRoutingTabs } from '../routing/LeadRoutingTabs.tsx'
import { DELIVERY_ACTIONS } from './delivery-actions.tsx'
import { CELLS, DeliveryBlock, WIDTHS } from './delivery-columns.tsx'
import { IN_DOUBT } from './delivery-looks.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import '../routing/lead-routing.css'

const route = getRouteApi('/shell/customers/lead-routing/deliveries')

const DeliveryDrawer = lazy(async () => ({
  default: (await import('./DeliveryDrawer.tsx')).DeliveryDrawer,
}))

/** The deliveries of leads, newest first; one opens in a drawer with its own URL. */
export function DeliveriesPage() {
  const search = route.useSearch()
  const { onShow, close } = useListRoute('delivery')
  return (
    <>
      <ListPage
        list={LEAD_DELIVERY_LIST}
        title={LEAD_ROUTING}
        tabs={<LeadRoutingTabs current="Deliveries" />}
        endpoint={leadDeliveries.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => `the delivery of ${row.leadName ?? 'a test'} to ${row.destinationName}`}
        selectedId={search.delivery}
        searches="Lead, email, destination, response"
        isLive
        bulk={DELIVERY_ACTIONS}
        note={explainDoubt}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconSend size={18} />}
            title="No deliveries yet"
            text="Each lead that a rule sends by email or webhook is listed here, with every attempt and its response."
          >
            <Link to="/customers/lead-routing/destinations" className="fc-link">
              Send a test from Destinations
            </Link>
          </EmptyState>
        }
      />
      {search.delivery !== undefined && (
        <Suspense>
          <DeliveryDrawer key={search.delivery} id={search.delivery} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function explainDoubt(rows: readonly LeadDelivery[]) {
  if (!rows.some(({ state, doubts }) => state === 'in-doubt' || doubts > 0)) return null
  return <p className="fc-routing-note">{IN_DOUBT}</p>
}

function showBlock(delivery: LeadDelivery) {
  return <DeliveryBlock delivery={delivery} />
}
