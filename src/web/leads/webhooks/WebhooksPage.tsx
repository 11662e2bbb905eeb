import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { DestinationList } from '../destinations/DestinationList.tsx'
import { LeadRoutingFrame } from '../routing/LeadRoutingFrame.tsx'
import { useRoutingLock } from '../routing/use-routing-settings.ts'
import { WebhookLog } from './WebhookLog.tsx'

const route = getRouteApi('/shell/customers/lead-routing/webhooks')
/** Calls change the counts and the log. */

const DestinationDrawer = lazy(async () => ({
  default: (await import('../destinations/DestinationDrawer.tsx')).DestinationDrawer,
}))

const isWebhook = ({ kind }: { kind: string }) => kind === 'webhook'

/** The webhooks that get leads as signed JSON, how to check the signature, and the log of their calls. */
export function WebhooksPage() {
  const { webhook } = route.useSearch()
  const { open, close, onCreated } = useListRoute('webhook')
  const load = useLoad(live(query(leadDestinations.list, {}), 'queue'))
  const lock = useRoutingLock()
  const webhooks = load.data?.filter(isWebhook)
  const add = (
    <Action
      for={leadDestinations.add}
      lock={lock}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add webhook
    </Action>
  )
  return (
    <LeadRoutingFrame
      tab="Webhooks"
      context={webhooks && webhooks.length > 0 ? `${count(webhooks.length, 'webhook', 'webhooks')}.` : ''}
      actions={add}
    >
      {lock !== null && <Notice>{lock}</Notice>}
      <div className="fc-routing-scroll">
        <Loaded query={load} what="the webhooks" shape="facts">
          {(all) => {
            const destinations = all.filter(isWebhook)
            if (destinations.length === 0) {
              return (
                <EmptyState
                  tone="brand"
                  icon={<IconWebhook size={18} />}
                  title="No webhooks yet"
                  text="A webhook posts each lead as signed JSON to a URL of another system, such as a CRM or an automation service."
                >
                  {add}
                </EmptyState>
              )
            }
            return (
              <>
                <DestinationList
                  destinations={destinations}
                  label="Webhooks"
                  lock={lock}
                  selectedId={webhook}
                  page="webhooks"
                />
                <WebhookLog />
                <SignatureHelp />
              </>
            )
          }}
        </Loaded>
      </div>
      {webhook !== undefined && (
        <Suspense>
          <DestinationDrawer
            key={webhook}
            id={webhook}
            kind="webhook"
            onClose={close}
            onCreated={onCreated}
          />
        </Suspense>
      )}
    </LeadRoutingFrame>
  )
}

/** What a developer needs to check a call (Standard Webhooks). */
function SignatureHelp() {
  return (
    <section className="fc-routing-part" aria-labelledby="webhook-signature">
      <h2 id="webhook-signature">Check the signature</h2>
      <p className="fc-small fc-soft">
        Calls follow Standard Webhooks, so its libraries can check them. By hand: compute HMAC-SHA256 of{' '}
        <code>webhook-id.webhook-timestamp.body</code> with the Base64 part of the secret. One of the
        signatures in the header <code>webhook-signature</code>, each after <code>v1,</code> must match.
        Reject timestamps older than 5 minutes. A <code>webhook-id</code> that you already have is the same
        lead: respond with 200 and ignore it.
      </p>
    </section>
  )
}
