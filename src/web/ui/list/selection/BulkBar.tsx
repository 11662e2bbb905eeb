import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { MAX_CHOSEN } from '#contract/lists/selection.ts'
import type { SeenOfRows } from '#contract/deletion.ts'
import type { List } from '#contract/lists/list.ts'
import { useMutation } from '#web/api/mutation.ts'
import { focusHeading } from '#web/follow-navigation.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { followJob } from '#web/ui/tasks/follow-job.ts'
import type { BulkAction, StartJob } from './bulk-action.ts'
import { ExportMenu } from '../export/ExportMenu.tsx'
import type { ListState } from '../list-state.ts'
import { countSelected, isTooMany, type Selected, toSelection } from './selection.ts'
import './bulk-bar.css'

type Props = {
  list: List
  /** Not empty. */
  selected: Selected
  state: Pick<ListState, 'columns' | 'sort' | 'search' | 'filter'>
  /** How many rows match the search and the filter. */
  filtered: number
  actions: readonly BulkAction[]
  /** Notes what the user has seen of the rows by now. Returns what to send of that. */
  noteSeen: () => () => SeenOfRows
  /** Selects all matching rows. */
  onAll: () => void
  onClear: () => void
  /** In a narrow place, such as a phone: its actions are below the count. */
  isNarrow?: boolean
}

const TOO_MANY = `You can select up to ${MAX_CHOSEN.toLocaleString()} rows one by one. Use filters to narrow the list instead.`

/** Actions for the selected rows. Floats over the end of the list without moving it. */
export function BulkBar({
  list,
  selected,
  state,
  filtered,
  actions,
  noteSeen,
  onAll,
  onClear,
  isNarrow = false,
}: Props) {
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const count = countSelected(selected, filtered)
  const starting = useMutation({
    mutationFn: ({ start, seen }: { action: BulkAction; start: StartJob; seen: () => SeenOfRows }) =>
      start(toSelection(selected, state), count, seen()),
    onSuccess: follow,
    onError: (failure) => showError(failure),
  })
  async function begin(action: BulkAction) {
    if (starting.isPending) return
    const selection = toSelection(selected, state)
    // Before the question: what others change while it is open, the user has not seen.
    const seen = noteSeen()
    if ('choose' in action) return follow(await action.choose(selection, count, seen))
    const isWanted = !action.ask || (await action.ask(selection, count))
    if (isWanted) starting.mutate({ action, start: action.start, seen })
  }
  function follow(job: Awaited<ReturnType<StartJob>>): void {
    if (job === null) return
    clear()
    if (job !== 'done') void followJob(job)
  }
  function clear() {
    // Keep the focus on the page when the bar disappears.
    focusHeading()
    onClear()
  }
  function clearByKey(event: KeyboardEvent) {
    if (event.key === 'Escape' && !event.defaultPrevented) clear()
  }
  const lock = isTooMany(selected) ? TOO_MANY : null

  return (
    <div className="fc-bulk-place">
      {/* Each element is a button of its own; the bar only handles Escape for them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <fieldset
        className="fc-bulk"
        data-narrow={isNarrow || isPhone || undefined}
        aria-label="Selected rows"
        onKeyDown={clearByKey}
      >
        <output className="fc-bulk-count">
          <bdi>
            <b>{count.toLocaleString()}</b> selected
          </bdi>
        </output>
        {selected.kind === 'some' && filtered > count && (
          <button type="button" className="fc-bulk-all" onClick={onAll}>
            Select all {filtered.toLocaleString()} matching
          </button>
        )}
        <div className="fc-bulk-verbs">
          {actions.map((action) => (
            <Action
              key={action.id}
              for={action.endpoint}
              variant="subtle"
              lock={lock}
              {...(action.tone === 'bad' && { className: 'fc-quiet-danger' })}
              leftSection={action.icon}
              loading={starting.isPending && starting.variables.action === action}
              onClick={() => void begin(action)}
            >
              {action.label}
            </Action>
          ))}
          <ExportMenu {...{ list, state, filtered, selected }} />
        </div>
        <ActionIcon className="fc-bulk-clear" aria-label="Clear selection" onClick={clear}>
          <IconX size={16} stroke={1.6} />
        </ActionIcon>
      </fieldset>
    </div>
  )
}
