import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconDots,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { type LeadDestination, leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { isInbox } from '#contract/leads/routing/rule-choices.ts'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { describeTarget, healthOf } from './destination-health.ts'
import { TestResult } from './TestResult.tsx'
import { useDestinationActions } from './use-destination-actions.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  destinations: readonly LeadDestination[]
  /** Accessible name of the list. */
  label: string
  /** Why this user can't change routing. */
  lock: string | null
  selectedId: string | undefined
  /** The tab whose drawer a row opens. */
  page: 'destinations' | 'webhooks'
}

/** Destinations with their health, the rules that use them, and what can be done with them. */
export function DestinationList({ destinations, label, lock, selectedId, page }: Props) {
  return (
    <>
      <div className="fc-destination-head" aria-hidden="true">
        <span>{page === 'webhooks' ? 'Webhook' : 'Destination'}</span>
        <span>Health</span>
        <span>Used by</span>
        <span />
      </div>
      <ul className="fc-destinations" aria-label={label}>
        {destinations.map((one) => (
          <Row key={one.id} destination={one} lock={lock} isSelected={one.id === selectedId} page={page} />
        ))}
      </ul>
    </>
  )
}

type RowProps = Pick<Props, 'lock' | 'page'> & { destination: LeadDestination; isSelected: boolean }

function Row({ destination, lock, isSelected, page }: RowProps) {
  const { rules } = destination
  const actions = useDestinationActions()
  const { tone, mark, label, detail } = healthOf(destination)
  return (
    <li
      className="fc-destination"
      data-selected={isSelected || undefined}
      data-paused={!destination.isActive || undefined}
    >
      <div className="fc-destination-name">
        <DestinationLink destination={destination} page={page} />
        <span className="fc-second">
          <bdi>{describeTarget(destination)}</bdi>
        </span>
      </div>
      <div>
        <Status tone={tone} mark={mark}>
          {label}
        </Status>
        {detail !== '' && (
          <span className="fc-second">
            <bdi>{detail}</bdi>
          </span>
        )}
      </div>
      <p className="fc-small fc-soft">{rules === 0 ? 'No rule' : count(rules, 'rule', 'rules')}</p>
      <DestinationMenu destination={destination} lock={lock} actions={actions} />
      {actions.testId !== null && <TestResult key={actions.testId} deliveryId={actions.testId} />}
    </li>
  )
}

/** Opens a destination from its name, as a link that can be copied or opened in a new tab. */
function DestinationLink({ destination: { id, name }, page }: Pick<RowProps, 'destination' | 'page'>) {
  const text = <bdi>{name}</bdi>
  if (page === 'webhooks') {
    return (
      <MayOpen for={leadDestinations.get}>
        <Link to="/customers/lead-routing/webhooks" search={{ webhook: id }} className="fc-name">
          {text}
        </Link>
      </MayOpen>
    )
  }
  return (
    <MayOpen for={leadDestinations.get}>
      <Link to="/customers/lead-routing/destinations" search={{ destination: id }} className="fc-name">
        {text}
      </Link>
    </MayOpen>
  )
}

const ICON = { size: 16, 'aria-hidden': true } as const
/** Why a destination in the inbox can't be tested. */
export const NO_TEST = 'Leads for the inbox need no delivery, so there is nothing to test.'

type MenuProps = Pick<RowProps, 'destination' | 'lock'> & {
  actions: ReturnType<typeof useDestinationActions>
}

function DestinationMenu({ destination, lock, actions }: MenuProps) {
  const { name, kind, isActive, stoppedAt, rules } = destination
  const used =
    rules === 0 ? null : `${count(rules, 'rule sends', 'rules send')} leads there. Remove it from them first.`
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="subtle" size={28} aria-label={`More for ${name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ActionItem
          for={leadDestinations.sendTest}
          lock={lock ?? (isInbox(kind) ? NO_TEST : null)}
          leftSection={<IconSend {...ICON} />}
          onClick={() => actions.test(destination)}
        >
          Send a test
        </ActionItem>
        {stoppedAt !== null && (
          <ActionItem
            for={leadDestinations.resume}
            lock={lock}
            leftSection={<IconRefresh {...ICON} />}
            onClick={() => actions.restart(destination)}
          >
            Start deliveries again
          </ActionItem>
        )}
        <ActionItem
          for={leadDestinations.update}
          lock={lock}
          leftSection={isActive ? <IconPlayerPause {...ICON} /> : <IconPlayerPlay {...ICON} />}
          onClick={() => void actions.pause(destination)}
        >
          {isActive ? 'Pause' : 'Resume'}
        </ActionItem>
        <ActionItem
          for={leadDestinations.remove}
          lock={lock ?? used}
          isDestructive
          leftSection={<IconTrash {...ICON} />}
          onClick={() => void actions.remove(destination)}
        >
          Delete
        </ActionItem>
      </Menu.Dropdown>
    </Menu>
  )
}
