import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconDots,
  IconGripVertical,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import { leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { type LeadRoutingRule, leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { describeTargets, type RuleNames, summarizeConditions } from './describe-rule.ts'
import type { RuleProblem } from './rule-problem.ts'
import { useRuleActions } from './use-rule-actions.ts'
import { Link } from '#web/ui/controls/Link.tsx'

export type RuleRowProps = {
  rule: LeadRoutingRule
  /** The leads that it sent in the last 30 days; null while unknown. */
  sent: number | null
  problem: RuleProblem | null
  names: RuleNames
  lock: string | null
  canOrder: boolean
  /** The first and the last of the rules that can be moved. */
  isFirst: boolean
  isLast: boolean
  isSelected: boolean
  onMove: (by: -1 | 1) => void
  /** To the position of another rule. */
  onMoveTo: (id: string) => void
  onOpen: (id: string) => void
}

/** A rule that can be dragged by its grip. */
export function SortableRule(props: RuleRowProps) {
  const { rule, canOrder } = props
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id: rule.id })
  const grip = canOrder && (
    <button
      ref={setActivatorNodeRef}
      type="button"
      className="fc-grip"
      {...attributes}
      {...listeners}
      aria-label={`Move ${rule.name}`}
    >
      <IconGripVertical size={16} aria-hidden="true" />
    </button>
  )
  return (
    <RuleRow
      {...props}
      grip={grip}
      host={{
        ref: setNodeRef,
        style: { transform: CSS.Translate.toString(transform), transition },
        'data-dragged': isDragging || undefined,
      }}
    />
  )
}

type HostProps = Pick<ComponentProps<'li'>, 'ref' | 'style'> & { 'data-dragged'?: true | undefined }

/** One rule: position, conditions, who gets its leads, what it did, and what is wrong with it. */
export function RuleRow(props: RuleRowProps & { grip?: ReactNode; host?: HostProps }) {
  const { rule, sent, problem, names, isSelected, grip, host } = props
  const isPaused = !rule.isActive && !rule.isCatchAll
  return (
    <li
      {...host}
      className="fc-routing-rule"
      data-rule={rule.id}
      data-selected={isSelected || undefined}
      data-paused={isPaused || undefined}
    >
      <span className="fc-rule-number">
        {grip}
        <span className="fc-number">{rule.number}</span>
      </span>
      <div className="fc-rule-what">
        <span className="fc-row">
          <RuleLink rule={rule} />
          {isPaused && (
            <Status tone="mute" mark="pause">
              Paused
            </Status>
          )}
        </span>
        <span className="fc-second">
          <bdi>{summarizeConditions(rule, names)}</bdi>
        </span>
      </div>
      <p className="fc-rule-sends">
        <bdi>{describeTargets(rule, names)}</bdi>
      </p>
      <p className="fc-rule-sent fc-number">
        {sent === null ? (
          <span className="fc-faint">–</span>
        ) : (
          <>
            {sent.toLocaleString()}
            <span className="fc-rule-unit"> {sent === 1 ? 'lead' : 'leads'} in 30 days</span>
          </>
        )}
      </p>
      <RuleMenu {...props} />
      {problem !== null && <Problem {...props} problem={problem} />}
    </li>
  )
}

/** Opens a rule from its name, as a link that can be copied or opened in a new tab. */
function RuleLink({ rule }: { rule: LeadRoutingRule }) {
  return (
    <MayOpen for={leadRoutingRules.get}>
      <Link
        from="/customers/lead-routing"
        to="/customers/lead-routing"
        search={(before) => ({ ...before, rule: rule.id })}
        className="fc-name"
      >
        <bdi>{rule.name}</bdi>
      </Link>
    </MayOpen>
  )
}

/** What is wrong with the rule, and the one click that fixes it. */
function Problem({
  rule,
  lock,
  problem: { tone, text, fix },
  onMoveTo,
  onOpen,
}: RuleRowProps & { problem: RuleProblem }) {
  const actions = useRuleActions({ onDuplicated: onOpen })
  return (
    <div className="fc-rule-problem">
      <Status tone={tone} mark="alert">
        <bdi>{text}</bdi>
      </Status>
      {fix?.kind === 'move' && (
        <Action
          for={leadRoutingRules.order}
          lock={lock}
          variant="default"
          size="compact-sm"
          onClick={() => onMoveTo(fix.beforeId)}
        >
          Move before {fix.beforeName}
        </Action>
      )}
      {fix?.kind === 'resume' && (
        <Action
          for={leadDestinations.update}
          lock={lock}
          variant="default"
          size="compact-sm"
          loading={actions.isPending}
          onClick={() => actions.resume(fix.destination)}
        >
          Resume {fix.destination.name}
        </Action>
      )}
      {fix?.kind === 'open destination' && (
        <Link
          to="/customers/lead-routing/destinations"
          search={{ destination: fix.destination.id }}
          className="fc-link"
        >
          Open {fix.destination.name}
        </Link>
      )}
      {fix?.kind === 'edit' && (
        <Action
          for={leadRoutingRules.update}
          lock={lock}
          variant="default"
          size="compact-sm"
          onClick={() => onOpen(rule.id)}
        >
          Add destination
        </Action>
      )}
    </div>
  )
}

const ICON = { size: 16, 'aria-hidden': true } as const
const CATCH_ALL = 'The last rule gets every other lead, so that no lead is lost.'

/** What can be done with a rule besides editing it. */
function RuleMenu({ rule, lock, isFirst, isLast, onMove, onOpen }: RuleRowProps) {
  const actions = useRuleActions({ onDuplicated: onOpen })
  const fixed = rule.isCatchAll ? CATCH_ALL : null
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" size={28} aria-label={`More for ${rule.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ActionItem
          for={leadRoutingRules.get}
          leftSection={<IconPencil {...ICON} />}
          onClick={() => onOpen(rule.id)}
        >
          Open
        </ActionItem>
        <ActionItem
          for={leadRoutingRules.update}
          lock={fixed ?? lock}
          leftSection={rule.isActive ? <IconPlayerPause {...ICON} /> : <IconPlayerPlay {...ICON} />}
          onClick={() => actions.pause(rule)}
        >
          {rule.isActive ? 'Pause' : 'Resume'}
        </ActionItem>
        <ActionItem
          for={leadRoutingRules.add}
          lock={lock}
          leftSection={<IconCopy {...ICON} />}
          onClick={() => actions.duplicate(rule)}
        >
          Duplicate
        </ActionItem>
        <ActionItem
          for={leadRoutingRules.order}
          lock={fixed ?? lock ?? (isFirst ? 'It is already first.' : null)}
          leftSection={<IconArrowUp {...ICON} />}
          onClick={() => onMove(-1)}
        >
          Move up
        </ActionItem>
        <ActionItem
          for={leadRoutingRules.order}
          lock={fixed ?? lock ?? (isLast ? 'It is already last before the catch-all rule.' : null)}
          leftSection={<IconArrowDown {...ICON} />}
          onClick={() => onMove(1)}
        >
          Move down
        </ActionItem>
        <ActionItem
          for={leadRoutingRules.remove}
          lock={fixed ?? lock}
          isDestructive
          leftSection={<IconTrash {...ICON} />}
          onClick={() => void actions.remove(rule)}
        >
          Delete
        </ActionItem>
      </Menu.Dropdown>
    </Menu>
  )
}
