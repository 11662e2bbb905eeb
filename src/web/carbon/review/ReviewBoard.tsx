import { Checkbox } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconChecks } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { activities, MAX_ROWS } from '#contract/carbon/activity/activity.ts'
import type { ActivityRecord } from '#contract/carbon/activity/activity-schema.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { ReasonForm } from '#web/ui/call-form/ReasonForm.tsx'
import { Action } from '#web/ui/controls/Action.tsx'
import { askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Toggle } from '#web/ui/controls/Toggle.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { MissingMonths } from './MissingMonths.tsx'
import { ReviewRow } from './ReviewRow.tsx'
import './review.css'

const approveRecords = send(activities.approve)
const returnRecords = send(activities.returnRecords)
const CHOICES = { all: 'All in review', unusual: 'Flagged only' } as const

type Props = {
  inventoryId: string
  isFrozen: boolean
  /** Show only flagged records. */
  isUnusualOnly: boolean
  onUnusualOnly: (isOnly: boolean) => void
}

type Reviewed = Awaited<ReturnType<typeof approveRecords>>

/** Approves and returns records. `onDone` gets what happened, in words. */
function useReview(inventoryId: string, onDone: (text: string) => void) {
  const showResult = (verb: 'approved' | 'returned', { moved, refused }: Reviewed) => {
    const reasons = refused.map((one) => one.message)
    onDone([`${count(moved, 'record', 'records')} ${verb}.`, ...new Set(reasons)].join(' '))
  }
  const approve = useMutation({
    mutationFn: approveRecords,
    onError: (failure) => showError(failure),
    onSuccess: (result) => showResult('approved', result),
  })
  async function askAndReturn(records: readonly { id: string; version: number }[]) {
    const result = await askFor<Reviewed>(
      `Return ${count(records.length, 'record', 'records')}`,
      (answer) => (
        <ReasonForm
          label="What needs to change"
          max={1000}
          missing="Enter what needs to change."
          confirm="Return records"
          endpoint={activities.returnRecords}
          about={records.map(({ id }) => id).join()}
          send={(comment) => returnRecords({ inventoryId, records: [...records], comment })}
          onAnswer={answer}
        />
      ),
    )
    if (result !== null) showResult('returned', result)
  }
  return { approve, askAndReturn }
}

/** The submitted records with their flags, to approve or to return with a comment. */
export function ReviewBoard({ inventoryId, isFrozen, isUnusualOnly, onUnusualOnly }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const only = isUnusualOnly ? ({ only: 'unusual' } as const) : {}
  const load = useLoad({
    ...query(activities.list, { inventoryId, status: 'submitted', pageSize: MAX_ROWS, ...only }),
    // Keeps the toolbar in place while the filter changes.
    placeholderData: keepPreviousData,
  })
  const { data } = load
  const shown = data?.results ?? []
  const flags = useQuery(query(activities.unusual, { inventoryId }))
  const unusual = useMemo(() => new Map(flags.data?.records.map((one) => [one.recordId, one])), [flags.data])
  const [message, setMessage] = useState('')
  const { approve, askAndReturn } = useReview(inventoryId, (text) => {
    setChosen(new Set())
    setMessage(text)
  })

  return (
    <Loaded query={load} what="the records" shape="spinner">
      {(loaded) => {
        const missing = flags.data && <MissingMonths inventoryId={inventoryId} unusual={flags.data} />
        if (shown.length === 0 && !isUnusualOnly) {
          return (
            <>
              {missing}
              <NothingToReview inventoryId={inventoryId} message={message} />
            </>
          )
        }
        const chosenRecords = shown.filter(({ id }) => chosen.has(id))
        const selected = chosenRecords.map(({ id, version }) => ({ id, version }))
        const lock = isFrozen ? 'The inventory is locked.' : null
        const selectionLock = selected.length === 0 ? 'Select records first.' : lock
        return (
          <div className="fc-review">
            <ReviewBar
              shown={shown.length}
              selected={selected.length}
              lock={selectionLock}
              isApproving={approve.isPending}
              onSelectAll={(isAll) => setChosen(new Set(isAll ? shown.map(({ id }) => id) : []))}
              onApprove={() => approve.mutate({ inventoryId, records: chosenRecords.map(asSeen) })}
              onReturn={() => void askAndReturn(selected)}
              {...{ message, isUnusualOnly, onUnusualOnly }}
            />
            {flags.error && (
              <p className="fc-review-none fc-soft" role="alert">
                <bdi>Couldn&rsquo;t check for unusual records: {flags.error.message}</bdi>
              </p>
            )}
            <FirstOf shown={shown.length} all={loaded.filteredRows} />
            {!isUnusualOnly && missing}
            {shown.length === 0 && <p className="fc-review-none fc-soft">No flagged records.</p>}
            <ul className="fc-review-rows">
              {shown.map((record) => (
                <ReviewRow
                  key={record.id}
                  record={record}
                  title={sourceTitle(record)}
                  unusual={unusual.get(record.id) ?? null}
                  lock={lock}
                  onApprove={() => approve.mutate({ inventoryId, records: [asSeen(record)] })}
                  onReturn={() => void askAndReturn([{ id: record.id, version: record.version }])}
                  isChosen={chosen.has(record.id)}
                  onChoose={(isChosen) => {
                    const next = new Set(chosen)
                    if (isChosen) next.add(record.id)
                    else next.delete(record.id)
                    setChosen(next)
                  }}
                />
              ))}
            </ul>
          </div>
        )
      }}
    </Loaded>
  )
}

type BarProps = Pick<Props, 'isUnusualOnly' | 'onUnusualOnly'> & {
  /** The numbers of records. */
  shown: number
  selected: number
  message: string
  lock: string | null
  isApproving: boolean
  onSelectAll: (isAll: boolean) => void
  onApprove: () => void
  onReturn: () => void
}

/** Selects records, and approves or returns the selected ones. */
function ReviewBar(props: BarProps) {
  const { shown, selected, message, lock, isApproving, isUnusualOnly } = props
  const { onSelectAll, onUnusualOnly, onApprove, onReturn } = props
  return (
    <div className="fc-toolbar">
      <Checkbox
        label={`All ${shown.toLocaleString()}`}
        checked={selected === shown && shown > 0}
        indeterminate={selected > 0 && selected < shown}
        onChange={(event) => onSelectAll(event.currentTarget.checked)}
      />
      <Toggle
        label="Records shown"
        choices={CHOICES}
        value={isUnusualOnly ? 'unusual' : 'all'}
        onChange={(one) => onUnusualOnly(one === 'unusual')}
      />
      <output className="fc-grow fc-small fc-soft">
        <bdi>{message}</bdi>
      </output>
      <Action
        for={activities.returnRecords}
        variant="default"
        lock={lock}
        leftSection={<IconArrowBackUp size={16} className="fc-flip" aria-hidden="true" />}
        onClick={onReturn}
      >
        Return
      </Action>
      <Action
        for={activities.approve}
        lock={lock}
        loading={isApproving}
        leftSection={<IconCheck size={16} aria-hidden="true" />}
        onClick={onApprove}
      >
        Approve
      </Action>
    </div>
  )
}

function FirstOf({ shown, all }: { shown: number; all: number }) {
  if (all <= shown) return null
  return (
    <p className="fc-review-none fc-soft">
      The first {shown.toLocaleString()} of {all.toLocaleString()} records in review.
    </p>
  )
}

/** A record with the result on the screen, so that no other one is approved. */
const asSeen = ({ id, version, result }: ActivityRecord) => ({
  id,
  version,
  seen: { kg: result?.kg ?? null, marketKg: result?.marketKg ?? null },
})

/** The empty state of the review, with the number of approved records. */
function NothingToReview({ inventoryId, message }: { inventoryId: string; message: string }) {
  const { data } = useQuery(query(activities.list, { inventoryId, status: 'approved', pageSize: 1 }))
  const approved =
    data === undefined ? '' : `${count(data.filteredRows, 'record is', 'records are')} approved. `
  return (
    <EmptyState
      icon={<IconChecks size={18} />}
      title="Nothing to review"
      text={`${approved}Records submitted on the Activity data tab appear here.`}
    >
      {message !== '' && <output>{message}</output>}
    </EmptyState>
  )
}
