import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type LeadDeliveryRecord, leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import { DESTINATION_KINDS } from '#contract/leads/routing/rule-choices.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { labelOf } from '#contract/record.ts'
import { live } from '#web/api/live.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LeadRoute } from '../routing/LeadRoute.tsx'
import { DeliveryAttempts } from './DeliveryAttempts.tsx'
import { DeliveryStatus } from './delivery-columns.tsx'
import { IN_DOUBT, replayLock } from './delivery-looks.ts'
import { SentContent } from './SentContent.tsx'

const replayDelivery = send(leadDeliveries.replay)
const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** One delivery: its attempts and responses, what was sent, and why the lead went there. */
export function DeliveryDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const load = useLoad(
    live(query(leadDeliveries.get, { id }), {
      while: (delivery) => delivery?.state === 'queued' || delivery?.state === 'sending',
    }),
  )
  const { data } = load
  return (
    <FormDrawer
      title={data ? titleOf(data) : 'Delivery'}
      about={data && <bdi>{`${labelOf(DESTINATION_KINDS, data.kind)} to ${data.destinationName}`}</bdi>}
      size={640}
      tools={data && <DeliveryStatus delivery={data} isPill />}
      onClose={onClose}
    >
      <Loaded query={load} what="this delivery" shape="facts">
        {(loaded) => (
          <div className="fc-form">
            <div className="fc-delivery">
              {(loaded.state === 'in-doubt' || loaded.doubts > 0) && (
                <p className="fc-routing-note">{IN_DOUBT}</p>
              )}
              <Facts delivery={loaded} />
              <DeliveryAttempts delivery={loaded} />
              <SentContent delivery={loaded} />
              {loaded.leadId !== null && (
                <section className="fc-delivery-part">
                  <h3>Why here</h3>
                  <LeadRoute leadId={loaded.leadId} />
                </section>
              )}
            </div>
            <Footer delivery={loaded} onClose={onClose} />
          </div>
        )}
      </Loaded>
    </FormDrawer>
  )
}

function titleOf({ isTest, leadName, destinationName }: LeadDeliveryRecord): string {
  return isTest ? `Test of ${destinationName}` : (leadName ?? 'Deleted lead')
}

function Facts({ delivery }: { delivery: LeadDeliveryRecord }) {
  const { leadId, leadName, destinationId, destinationName, createdAt, nextAttemptAt, finishedAt, key } =
    delivery
  const holds = useHolds()
  const mayReadOutbox = permissionsFor(outbox.get.allow).some((one) => holds(one) === true)
  const time = (instant: string) => <time dateTime={instant}>{exactly.format(new Date(instant))}</time>
  const rows: (readonly [string, ReactNode])[] = [
    [
      'Lead',
      leadId && (
        <Link key="lead" to="/customers/leads" search={{ lead: leadId }} className="fc-link">
          {leadName ?? 'Open the lead'}
        </Link>
      ),
    ],
    [
      'Destination',
      destinationId === null ? (
        `${destinationName} (deleted)`
      ) : (
        <Link
          key="destination"
          to="/customers/lead-routing/destinations"
          search={{ destination: destinationId }}
          className="fc-link"
        >
          {destinationName}
        </Link>
      ),
    ],
    ['Routed', time(createdAt)],
    ['Next attempt', delivery.state === 'queued' && nextAttemptAt ? time(nextAttemptAt) : null],
    ['Finished', finishedAt && time(finishedAt)],
    [
      'Email',
      delivery.mailId && mayReadOutbox && (
        <Link key="email" to="/administration/outbox" search={{ mail: delivery.mailId }} className="fc-link">
          Open it in the outbox
        </Link>
      ),
    ],
    ['ID in every attempt', <code key="key">{key}</code>],
  ]
  return (
    <dl className="fc-delivery-facts">
      {rows
        .filter(([, value]) => value !== null && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  )
}

function Footer({ delivery, onClose }: { delivery: LeadDeliveryRecord; onClose: () => void }) {
  const { id, state, destinationName } = delivery
  const replay = useMutation({
    mutationFn: () => replayDelivery({ id }),
    onSuccess: (sent) => {
      queryClient.setQueryData([...keyOf(leadDeliveries.get), { id }], sent)
      toast('Queued to be sent again', destinationName)
    },
    onError: (failure) => showError(failure),
  })
  async function confirmReplay() {
    const isSure = await ask({
      title: `Send it to ${destinationName} again?`,
      text:
        state === 'failed'
          ? 'It is sent with the same ID as before.'
          : 'The receiver may have it already. It is sent with the same ID, so that the receiver can recognize it.',
      confirm: 'Send again',
    })
    if (isSure) replay.mutate()
  }
  return (
    <div className="fc-form-footer">
      <span className="fc-grow" />
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
      <Action
        for={leadDeliveries.replay}
        lock={replayLock(delivery)}
        loading={replay.isPending}
        onClick={() => void confirmReplay()}
      >
        Send again
      </Action>
    </div>
  )
}
