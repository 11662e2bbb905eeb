import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { MayCall } from '#web/ui/controls/MayCall.tsx'
import { type LeadDeliveryRecord, leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import { DESTINATION_KINDS } from '#contract/leads/routing/rule-choices.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { labelOf } from '#contract/record.ts'
import { live } from '#web/api/live.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { DetailDrawer } from '#web/ui/record/DetailDrawer.tsx'
import type { Fact } from '#web/ui/record/Facts.tsx'
import { LeadRoute } from '../routing/LeadRoute.tsx'
import { DeliveryAttempts } from './DeliveryAttempts.tsx'
import { DeliveryStatus } from './delivery-columns.tsx'
import { buyerLabel, IN_DOUBT, replayLock } from './delivery-looks.ts'
import { SentContent } from './SentContent.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const replayDelivery = send(leadDeliveries.replay)
const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** One delivery: its attempts and responses, what was sent, and why the lead went there. */
export function DeliveryDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const holds = useHolds()
  const mayReadOutbox = permissionsFor(outbox.get.allow).some((one) => holds(one) === true)
  return (
    <DetailDrawer
      query={live(query(leadDeliveries.get, { id }), {
        while: (delivery) => delivery?.state === 'queued' || delivery?.state === 'sending',
      })}
      what="this delivery"
      noun="Delivery"
      size={640}
      onClose={onClose}
      renderParts={(delivery) => ({
        title: titleOf(delivery),
        about: <bdi>{`${labelOf(DESTINATION_KINDS, delivery.kind)} to ${delivery.destinationName}`}</bdi>,
        state: <DeliveryStatus delivery={delivery} isPill />,
        note: (delivery.state === 'in-doubt' || delivery.doubts > 0) && (
          <p className="fc-routing-note">{IN_DOUBT}</p>
        ),
        facts: factsOf(delivery, { mayReadOutbox }),
        actions: <SendAgain delivery={delivery} />,
      })}
    >
      {(delivery) => (
        <>
          <DeliveryAttempts delivery={delivery} />
          <SentContent delivery={delivery} />
          {delivery.leadId !== null && (
            <MayCall for={leadRoutingRules.explain}>
              <section className="fc-delivery-part">
                <h3>Why here</h3>
                <LeadRoute leadId={delivery.leadId} />
              </section>
            </MayCall>
          )}
        </>
      )}
    </DetailDrawer>
  )
}

function titleOf(delivery: LeadDeliveryRecord): string {
  return delivery.isTest ? `Test of ${delivery.destinationName}` : buyerLabel(delivery)
}

function factsOf(delivery: LeadDeliveryRecord, { mayReadOutbox }: { mayReadOutbox: boolean }): Fact[] {
  const { leadId, leadName, destinationId, destinationName, createdAt, nextAttemptAt, finishedAt, key } =
    delivery
  const time = (instant: string) => <time dateTime={instant}>{exactly.format(new Date(instant))}</time>
  return [
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
}

function SendAgain({ delivery }: { delivery: LeadDeliveryRecord }) {
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
    <Action
      for={leadDeliveries.replay}
      lock={replayLock(delivery)}
      loading={replay.isPending}
      onClick={() => void confirmReplay()}
    >
      Send again
    </Action>
  )
}
