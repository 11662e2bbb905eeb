import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { type ComponentProps, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import {
  type LeadRoutingRule,
  leadRoutingRules,
  type LeadRuleEffect,
} from '#contract/leads/routing/lead-routing-rules.ts'
import { useMutation } from '#web/api/mutation.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useViewOnlyLock } from '#web/session/use-impersonation.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import type { RuleNames } from './describe-rule.ts'
import { moveBy, moveTo, orderedIds } from './rule-order.ts'
import type { RuleProblem } from './rule-problem.ts'
import { RuleRow, type RuleRowProps, SortableRule } from './RuleRow.tsx'
import { call } from '#web/api/client.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'

const MUTATION = ['order of lead routing rules'] as const
const LIST = [...keyOf(leadRoutingRules.list), {}] as const

type NewOrder = { rules: readonly LeadRoutingRule[]; before: readonly LeadRoutingRule[] }

/**
 * Saves the order of the rules. The list shows it at once; saves run one after the other. If one fails, also because someone
 * else ordered them meanwhile, the saved order returns.
 */
function useRuleOrder() {
  return useMutation({
    mutationKey: MUTATION,
    scope: { id: MUTATION[0] },
    mutationFn: ({ rules, before }: NewOrder) =>
      call(leadRoutingRules.order, { ids: orderedIds(rules), before: orderedIds(before) }),
    onMutate: async ({ rules }) => {
      await queryClient.cancelQueries({ queryKey: LIST })
      queryClient.setQueryData(
        LIST,
        rules.map((rule, at) => ({ ...rule, number: at + 1 })),
      )
    },
    onError: (failure) => showError(failure),
    onSettled: async () => {
      // While another order is on its way, the list keeps showing that one.
      if (queryClient.isMutating({ mutationKey: MUTATION }) > 1) return
      await Promise.all(
        [leadRoutingRules.list, leadRoutingRules.effects].map((one) =>
          queryClient.invalidateQueries({ queryKey: keyOf(one) }),
        ),
      )
    },
  })
}

type Props = {
  rules: readonly LeadRoutingRule[]
  /** Null while unknown. */
  effects: readonly LeadRuleEffect[] | null
  problems: ReadonlyMap<string, RuleProblem>
  names: RuleNames
  /** Why this user can't change routing. */
  lock: string | null
  selectedId: string | undefined
  /** Opens a rule, or `new`. */
  onOpen: (id: string) => void
  /** Below the rules. */
  children: ReactNode
}

/** The rules in order. Moves by drag, with Alt and the arrow keys, or from the menu of a rule; the catch-all rule stays last. */
export function RuleList({ rules, effects, problems, names, lock, selectedId, onOpen, children }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const order = useRuleOrder()
  const [announced, setAnnounced] = useState('')
  const canOrder = useCanOrder(lock)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const movable = rules.filter(({ isCatchAll }) => !isCatchAll)
  const ids = movable.map(({ id }) => id)
  const nameOf = (id: string | number) => rules.find((rule) => rule.id === id)?.name ?? ''

  function apply(next: LeadRoutingRule[] | null, id: string) {
    if (next === null || !canOrder) return
    order.mutate(
      { rules: next, before: rules },
      { onError: () => setAnnounced(`${nameOf(id)} was not moved.`) },
    )
    const at = next.findIndex((rule) => rule.id === id)
    setAnnounced(`${nameOf(id)} moved to position ${at + 1} of ${next.length}.`)
  }
  function drop({ active, over }: DragEndEvent) {
    if (over) apply(moveTo(rules, String(active.id), String(over.id)), String(active.id))
  }
  const followKey = (event: KeyboardEvent) =>
    followRuleKey(event, {
      rules,
      list: list.current,
      onMove: (id, by) => apply(moveBy(rules, id, by), id),
      onAdd: canOrder ? () => onOpen('new') : null,
    })
  const rowOf = (rule: LeadRoutingRule): RuleRowProps => ({
    rule,
    sent: effects?.find(({ ruleId }) => ruleId === rule.id)?.sent ?? null,
    problem: problems.get(rule.id) ?? null,
    names,
    lock,
    canOrder,
    isFirst: rule.id === ids[0],
    isLast: rule.id === ids.at(-1),
    isSelected: rule.id === selectedId,
    onMove: (by) => apply(moveBy(rules, rule.id, by), rule.id),
    onMoveTo: (id) => apply(moveTo(rules, rule.id, id), rule.id),
    onOpen,
  })
  return (
    <>
      <div className="fc-rule-head" aria-hidden="true">
        <span>Order</span>
        <span>Rule</span>
        <span>Sends leads</span>
        <span className="fc-end">Sent in 30 days</span>
        <span />
      </div>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={drop}
        accessibility={announceDrag(nameOf, ids)}
      >
        <SortableContext items={ids} strategy={verticalListSortingStrategy} disabled={!canOrder}>
          {/* Each rule has a link and buttons of its own; the list only moves the focus and the rules. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <ol ref={list} className="fc-routing-rules" aria-label="Rules in order" onKeyDown={followKey}>
            {rules.map((rule) =>
              rule.isCatchAll ? (
                <RuleRow key={rule.id} {...rowOf(rule)} />
              ) : (
                <SortableRule key={rule.id} {...rowOf(rule)} />
              ),
            )}
          </ol>
        </SortableContext>
      </DndContext>
      <output className="fc-hidden">{announced}</output>
      {children}
      <RuleKeys canOrder={canOrder} />
    </>
  )
}

/** The keys of the list, in its footer. */
function RuleKeys({ canOrder }: { canOrder: boolean }) {
  return (
    <p className="fc-rule-keys" aria-hidden="true">
      <span className="fc-grow">
        The first rule that matches sends the lead.{canOrder && ' Drag to change the order.'}
      </span>
      <kbd className="fc-key">j</kbd>
      <kbd className="fc-key">k</kbd> rule
      {canOrder && (
        <>
          <kbd className="fc-key">Alt</kbd>
          <kbd className="fc-key">↑</kbd>
          <kbd className="fc-key">↓</kbd> move
          <kbd className="fc-key">n</kbd> add
        </>
      )}
    </p>
  )
}

type Keys = {
  rules: readonly LeadRoutingRule[]
  list: HTMLOListElement | null
  onMove: (id: string, by: -1 | 1) => void
  /** Null if the user may not add rules. */
  onAdd: (() => void) | null
}

/** j and k go to the next and the previous rule, Alt with an arrow key moves the rule, n adds one. */
function followRuleKey(event: KeyboardEvent, { rules, list, onMove, onAdd }: Keys): void {
  const { target, key, altKey } = event
  const id = target instanceof Element ? target.closest('li')?.dataset['rule'] : undefined
  if (id === undefined || event.ctrlKey || event.metaKey) return
  const by = MOVES[key]
  if (altKey && by !== undefined) {
    event.preventDefault()
    onMove(id, by)
    // After React has rendered the new order, the moved rule still has the focus.
    requestAnimationFrame(() => focusRule(list, id))
    return
  }
  // In the menu of a rule, keys choose its entries.
  const isOnLink = target instanceof Element && target.closest('a') !== null
  if (altKey || !isOnLink) return
  const step = STEPS[key]
  const next = step === undefined ? undefined : rules[rules.findIndex((rule) => rule.id === id) + step]
  if (next !== undefined) {
    event.preventDefault()
    focusRule(list, next.id)
  }
  if (key === 'n' && onAdd !== null) {
    event.preventDefault()
    onAdd()
  }
}

const MOVES: Readonly<Record<string, -1 | 1 | undefined>> = { ArrowUp: -1, ArrowDown: 1 }
const STEPS: Readonly<Record<string, -1 | 1 | undefined>> = { k: -1, j: 1 }

function focusRule(list: HTMLOListElement | null, id: string): void {
  list?.querySelector<HTMLElement>(`[data-rule="${CSS.escape(id)}"] a`)?.focus()
}

/** Whether the user may move rules: with the permission, for all organizations, and not while only viewing. */
function useCanOrder(lock: string | null): boolean {
  const holds = useHolds()
  const isViewOnly = useViewOnlyLock(leadRoutingRules.order) !== null
  const isHeld = permissionsFor(leadRoutingRules.order.allow).some((one) => holds(one) === true)
  return lock === null && isHeld && !isViewOnly
}

/** What screen readers say while a rule is dragged. */
function announceDrag(
  nameOf: (id: string | number) => string,
  ids: readonly string[],
): NonNullable<ComponentProps<typeof DndContext>['accessibility']> {
  const placeOf = (id: string | number) => ids.indexOf(String(id)) + 1
  return {
    screenReaderInstructions: {
      draggable:
        'Press Space to pick up the rule, the arrow keys to move it, Space to drop it, Escape to cancel.',
    },
    announcements: {
      onDragStart: ({ active }) => `${nameOf(active.id)} picked up.`,
      onDragOver: ({ active, over }) =>
        over && over.id !== active.id
          ? `${nameOf(active.id)} is over position ${placeOf(over.id)}.`
          : undefined,
      onDragEnd: ({ active, over }) =>
        over ? `${nameOf(active.id)} dropped at position ${placeOf(over.id)}.` : undefined,
      onDragCancel: ({ active }) => `${nameOf(active.id)} was not moved.`,
    },
  }
}
