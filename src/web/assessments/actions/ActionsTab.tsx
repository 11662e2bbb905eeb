import { SegmentedControl } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { type Action, assessmentActions } from '#contract/assessments/actions/actions.ts'
import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import { query } from '#web/api/query.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { ActionDrawer } from './ActionDrawer.tsx'
import '../results/results.css'
import './actions.css'

/** The most that are shown; an assessment has at most 500 targets. */
const MOST_SHOWN = 200
const CHOICES = [
  { value: 'open', label: 'Open' },
  { value: 'done', label: 'Done' },
  { value: 'all', label: 'All' },
]

/** What is done about gaps, the next due first. */
export function ActionsTab({ assessment }: { assessment: Assessment }) {
  const [shown, setShown] = useState('open')
  const [opened, setOpened] = useState<Action | null>(null)

  return (
    <Loaded
      query={query(assessmentActions.list, {
        assessment: assessment.id,
        sort: 'dueOn',
        page: 1,
        pageSize: MOST_SHOWN,
        ...(shown !== 'all' && { filter: `status == "${shown}"` }),
      })}
      what="the actions"
      shape="spinner"
    >
      {(data) => (
        <div className="fc-results">
          <div className="fc-row">
            <SegmentedControl
              size="xs"
              aria-label="Status"
              data={CHOICES}
              value={shown}
              onChange={setShown}
            />
            {data.filteredRows > MOST_SHOWN && (
              <span className="fc-small fc-soft">
                The first {MOST_SHOWN} of {data.filteredRows.toLocaleString()}.
              </span>
            )}
          </div>
          {data.results.length === 0 ? (
            <EmptyState
              icon={<IconListCheck size={18} />}
              title={shown === 'open' ? 'No open actions' : 'No actions'}
              text="Add an action from a gap in the results, with an owner and a due date."
            />
          ) : (
            <div className="fc-results-scroll">
              <ActionTable actions={data.results} onOpen={setOpened} />
            </div>
          )}
          {opened !== null && <ActionDrawer action={opened} onClose={() => setOpened(null)} />}
        </div>
      )}
    </Loaded>
  )
}

function ActionTable({ actions, onOpen }: { actions: readonly Action[]; onOpen: (action: Action) => void }) {
  return (
    <table className="fc-results-table" aria-label="Actions">
      <thead>
        <tr>
          <th scope="col">Action</th>
          <th scope="col">Target</th>
          <th scope="col">Owner</th>
          <th scope="col">Due</th>
          <th scope="col" className="fc-number">
            Cost
          </th>
          <th scope="col" className="fc-number">
            Savings (t CO2e)
          </th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {actions.map((action) => (
          <tr key={action.id}>
            <td>
              <OpenAction action={action} onOpen={onOpen} />
            </td>
            <td>
              <bdi>{action.targetName}</bdi>
            </td>
            <td>
              <bdi>{action.ownerName ?? 'No owner'}</bdi>
            </td>
            <td className="fc-day">{action.dueOn === null ? '–' : formatDay(`${action.dueOn}T00:00`)}</td>
            <td className="fc-number">{showCost(action)}</td>
            <td className="fc-number">{action.expectedTonnes ?? '–'}</td>
            <td>
              <ActionStatus action={action} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function OpenAction({ action, onOpen }: { action: Action; onOpen: (action: Action) => void }) {
  return (
    <button type="button" className="fc-link fc-action-name" onClick={() => onOpen(action)}>
      <bdi>{action.title}</bdi>
    </button>
  )
}

function ActionStatus({ action: { status, isOverdue, doneOn } }: { action: Action }) {
  if (isOverdue) {
    return (
      <Status tone="bad" mark="alert">
        Overdue
      </Status>
    )
  }
  if (status === 'done') {
    return (
      <Status tone="good" mark="check">
        Done{doneOn === null ? '' : ` ${formatDay(`${doneOn}T00:00`)}`}
      </Status>
    )
  }
  return status === 'dropped' ? (
    <Status tone="mute" mark="dash">
      Dropped
    </Status>
  ) : (
    <Status tone="info" mark="wait">
      Open
    </Status>
  )
}

function showCost({ costCents, currency }: Action): string {
  if (costCents === null) return '–'
  return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(costCents / 100)
}
