import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useRef } from 'react'
import { type Lead, LEAD_LIST } from '#contract/leads/inbox/lead-list.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { useHolds } from '#web/session/use-session.ts'
import { isFree } from '#web/ui/controls/is-free.ts'
import { columnsOf, type ListState, ownColumns } from '#web/ui/list/list-state.ts'
import { useSelection } from '#web/ui/list/selection/use-selection.ts'
import { LEAD_ACTIONS } from './lead-bulk.tsx'
import { pageOfQueue } from './lead-queue.ts'

const BulkBar = lazy(async () => ({ default: (await import('#web/ui/list/selection/BulkBar.tsx')).BulkBar }))

const ExportMenu = lazy(async () => ({
  default: (await import('#web/ui/list/export/ExportMenu.tsx')).ExportMenu,
}))

/** Whether a lead is chosen, and how it is chosen: with Shift together with everything since the last one. */
export type QueueSelection = Readonly<{
  isOn: (id: string) => boolean
  toggle: (id: string, isOn: boolean, how: { isRange: boolean }) => void
}>

type QueueRows = {
  rows: readonly Lead[]
  total: number
  rule: string
  search: string
  openId: string | undefined
}

/** The leads of the queue that are chosen for a bulk action, and what is offered for them and for all. `selection`: null for users who can't change or export leads. */
export function useQueueSelection({ rows, total, rule, search, openId }: QueueRows) {
  const holds = useHolds()
  const state: ListState = {
    ...pageOfQueue({ filter: rule, search }),
    columns: ownColumns(columnsOf(LEAD_LIST, (permission) => holds(permission) !== false)),
    view: null,
  }
  const selection = useSelection({ endpoint: leads.list, state, rowId: ({ id }: Lead) => id })
  // The queue keeps its own order, which the list doesn't know.
  const last = useRef<string | null>(null)
  const place = (id: string | null) => rows.findIndex((row) => row.id === id)
  const toggle: QueueSelection['toggle'] = (id, isOn, { isRange }) => {
    const [from, to] = [isRange ? place(last.current) : -1, place(id)]
    last.current = id
    const ids =
      from === -1 || to === -1
        ? [id]
        : rows.slice(Math.min(from, to), Math.max(from, to) + 1).map((row) => row.id)
    selection.setMany(ids, isOn)
  }
  const canChoose =
    holds(leads.change.allow) === true || (LEAD_LIST.exports !== null && holds(LEAD_LIST.exports) === true)
  const toggleByKey = (event: KeyboardEvent, isRange: boolean) => {
    const focused = document.activeElement?.closest('li')?.querySelector('[data-lead]')
    const id = focused?.getAttribute('data-lead') ?? openId
    if (canChoose && isFree(event) && id !== undefined)
      toggle(id, isRange || !selection.isOn(id), { isRange })
  }
  useHotkeys([
    ['x', (event) => toggleByKey(event, false)],
    ['shift+x', (event) => toggleByKey(event, true)],
  ])
  const shown: QueueSelection | null = canChoose ? { isOn: selection.isOn, toggle } : null
  const bar =
    selection.count(total) === 0 ? null : (
      <Suspense>
        <BulkBar
          list={LEAD_LIST}
          state={state}
          filtered={total}
          selected={selection.selected}
          actions={LEAD_ACTIONS}
          noteSeen={selection.noteSeen}
          onAll={selection.selectAll}
          onClear={selection.clear}
          isNarrow
        />
      </Suspense>
    )
  const exported = LEAD_LIST.exports !== null && (
    <Suspense fallback={null}>
      <ExportMenu list={LEAD_LIST} state={state} filtered={total} />
    </Suspense>
  )
  return { selection: shown, bar, exported }
}
