import { IconMailbox, IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type InboundAddress, inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { inboundMessages } from '#contract/leads/inbound/inbound-messages.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { MayCall } from '#web/ui/controls/MayCall.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LeadRoutingFrame } from '../routing/LeadRoutingFrame.tsx'
import { AddressList } from './AddressList.tsx'
import { MessageList } from './MessageList.tsx'
import './inbound.css'

const route = getRouteApi('/shell/customers/lead-routing/inbound')

const AddressDrawer = lazy(async () => ({ default: (await import('./AddressDrawer.tsx')).AddressDrawer }))
const MessageDrawer = lazy(async () => ({ default: (await import('./MessageDrawer.tsx')).MessageDrawer }))

/** The addresses that lead providers send leads to, and what arrived there. Both open in a drawer with its own URL. */
export function InboundPage() {
  const { address, message } = route.useSearch()
  const ofAddress = useListRoute('address')
  const ofMessage = useListRoute('message')
  const load = useLoad(live(query(inboundAddresses.list, {}), 'queue'))
  const { data } = load
  const add = (
    <Action
      for={inboundAddresses.add}
      onClick={() => ofAddress.open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add inbound address
    </Action>
  )
  return (
    <LeadRoutingFrame tab="Inbound" context={data ? sumUp(data) : ''} actions={add}>
      <div className="fc-routing-scroll">
        <Loaded query={load} what="the inbound addresses" shape="facts">
          {(loaded) => (
            <>
              {loaded.length === 0 && (
                <EmptyState
                  tone="brand"
                  icon={<IconMailbox size={18} />}
                  title="No inbound addresses yet"
                  text="An inbound address is a private URL for one lead provider. Leads sent to it as ADF or by email arrive in the inbox and follow your routing rules."
                >
                  {add}
                </EmptyState>
              )}
              {loaded.length > 0 && (
                <>
                  <AddressList addresses={loaded} selectedId={address} />
                  <MayCall for={inboundMessages.list}>
                    <MessageList addresses={loaded} selectedId={message} />
                  </MayCall>
                </>
              )}
            </>
          )}
        </Loaded>
      </div>
      {address !== undefined && (
        <Suspense>
          <AddressDrawer
            key={address}
            id={address}
            onClose={ofAddress.close}
            onCreated={ofAddress.onCreated}
          />
        </Suspense>
      )}
      {message !== undefined && (
        <Suspense>
          <MessageDrawer key={message} id={message} onClose={() => ofMessage.close()} />
        </Suspense>
      )}
    </LeadRoutingFrame>
  )
}

/** "3 inbound addresses. 2 messages need review." */
function sumUp(addresses: readonly InboundAddress[]): string {
  if (addresses.length === 0) return ''
  const waiting = addresses.reduce((sum, { quarantined }) => sum + quarantined, 0)
  const many = `${count(addresses.length, 'inbound address', 'inbound addresses')}.`
  return waiting === 0 ? many : `${many} ${count(waiting, 'message needs', 'messages need')} review.`
}
