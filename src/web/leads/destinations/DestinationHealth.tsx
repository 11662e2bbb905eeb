import { Button } from '@mantine/core'
import { IconSend, IconKey } from '@tabler/icons-react'
import { leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import { type LeadDestination, leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { isInbox } from '#contract/leads/routing/rule-choices.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { deliveriesOf } from '../deliveries/deliveries-of.ts'
import { healthOf } from './destination-health.ts'
import { NO_TEST } from './DestinationList.tsx'
import { TestResult } from './TestResult.tsx'
import type { useDestinationActions } from './use-destination-actions.ts'
import { confirmNewSecret } from './show-secret.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  destination: LeadDestination
  lock: string | null
  /** The form has changes that aren't saved. */
  isChanged: boolean
  actions: ReturnType<typeof useDestinationActions>
  /** The destination as an action saved it. */
  onKept: (destination: LeadDestination) => void
}

/** How well a destination works, and what can be done about it: test it, start it again, look at its deliveries. */
export function DestinationHealth({ destination, lock, isChanged, actions, onKept }: Props) {
  const { kind, stoppedAt, name } = destination
  const { tone, mark, label, detail } = healthOf(destination)
  const noTest = isInbox(kind) ? NO_TEST : null
  const unsaved = isChanged ? 'Save the changes first. A test uses what is saved.' : null
  return (
    <section className="fc-rule-trial" aria-labelledby="destination-health">
      <h3 id="destination-health">Health</h3>
      <p>
        <Status tone={tone} mark={mark}>
          {label}
        </Status>
        {detail !== '' && (
          <span className="fc-second">
            <bdi>{detail}</bdi>
          </span>
        )}
      </p>
      <div className="fc-row fc-wrap">
        {stoppedAt !== null && (
          <Action
            for={leadDestinations.resume}
            lock={lock}
            loading={actions.isPending}
            onClick={() => actions.restart(destination, onKept)}
          >
            Start deliveries again
          </Action>
        )}
        <Action
          for={leadDestinations.sendTest}
          lock={lock ?? noTest ?? unsaved}
          variant="default"
          loading={actions.isTesting}
          leftSection={<IconSend size={16} aria-hidden="true" />}
          onClick={() => actions.test(destination)}
        >
          Send a test
        </Action>
        {destination.failed > 0 && stoppedAt === null && (
          <Action
            for={leadDeliveries.replayMany}
            variant="default"
            loading={actions.isPending}
            onClick={() => void actions.replayFailed(destination)}
          >
            Send {destination.failed.toLocaleString()} failed again
          </Action>
        )}
        {kind === 'webhook' && <NewSecretButton webhook={destination} lock={lock} />}
        {!isInbox(kind) && (
          <Button
            variant="subtle"
            renderRoot={(props) => (
              <Link {...props} to="/customers/lead-routing/deliveries" search={deliveriesOf(name)} />
            )}
          >
            Deliveries
          </Button>
        )}
      </div>
      {actions.testId !== null && <TestResult key={actions.testId} deliveryId={actions.testId} />}
    </section>
  )
}

/** Replaces the signing secret of a webhook; the new one is shown once. */
function NewSecretButton({ webhook, lock }: { webhook: LeadDestination; lock: string | null }) {
  return (
    <Action
      for={leadDestinations.secret}
      lock={lock}
      variant="default"
      leftSection={<IconKey size={16} aria-hidden="true" />}
      onClick={() => void confirmNewSecret(webhook)}
    >
      Replace secret
    </Action>
  )
}
