import { Checkbox } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconChecks } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { activities, MAX_ROWS } from '#contract/carbon/activity/activity.ts'
import type { ActivityRecord } from '#contract/carbon/activity/activity-schema.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { keyOf, query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { Toggle } from '#web/ui/controls/Toggle.tsx'
import { MissingMonths } from './MissingMonths.tsx'
import { ReturnForm } from './ReturnForm.tsx'
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

/** The submitted records with their flags, to approve or to return with a comment. */
export function ReviewBoard({ inventoryId, isFrozen, isUnusualOnly, onUnusualOnly }: Props) {
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const only = isUnusualOnly ? ({ only: 'unusual' } as const) : {}
  const { data, error, refetch } = useQuery({
    ...query(activities.list, { inventoryId, status: 'submitted', pageSize: MAX_ROWS, ...only }),
    // Keeps the toolbar in place while the filter changes.
    placeholderData: keepPreviousData,
  })
  const shown = data?.results ?? []
  const flags = useQuery(query(activities.unusual, { inventoryId }))
  const unusual = useMemo(() => new Map(flags.data?.records.map((one) => [one.recordId, one])), [flags.data])
  const [message, setMessage] = useState('')
  const showResult = (verb: 'approved' | 'returned') => ({
    onError: (failure: Parameters<typeof showError>[0]) => showError(failure),
    onSuccess: ({ moved, refused }: Awaited<ReturnType<typeof approveRecords>>) => {
      setChosen(new Set())
      const reasons = refused.map((one) => one.message)
      setMessage([`${count(moved, 'record', 'records')} ${verb}.`, ...new Set(reasons)].join(' '))
      for (const endpoint of [activities.list, activities.unusual, ledger.totals]) {
        void queries.invalidateQueries({ queryKey: keyOf(endpoint) })
      }
    },
  })
  const approve = useMutation({ mutationFn: approveRecords, ...showResult('approved') })
  const returnSelected = useMutation({ mutationFn: returnRecords, ...showResult('returned') })
  if (error) {
    return (
      <FailureState
        failure={error}
        endpoint={activities.list}
        what="the records"
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) return <Spinner label="Loading the records" />
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
  const askAndReturn = (of: readonly { id: string; version: number }[]) =>
    void askFor<string>(`Return ${count(of.length, 'record', 'records')}`, (answer) => (
      <ReturnForm onAnswer={answer} />
    )).then((comment) => {
      if (comment !== null) returnSelected.mutate({ inventoryId, records: [...of], comment })
    })
  const selectionLock = selected.length === 0 ? 'Select records first.' : lock
  return (
    <div className="fc-review">
      <div className="fc-toolbar">
        <Checkbox
          label={`All ${shown.length.toLocaleString()}`}
          checked={selected.length === shown.length && shown.length > 0}
          indeterminate={selected.length > 0 && selected.length < shown.length}
          onChange={(event) =>
            setChosen(new Set(event.currentTarget.checked ? shown.map(({ id }) => id) : []))
          }
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
          lock={selectionLock}
          leftSection={<IconArrowBackUp size={16} className="fc-flip" aria-hidden="true" />}
          onClick={() => askAndReturn(selected)}
        >
          Return
        </Action>
        <Action
          for={activities.approve}
          lock={selectionLock}
          loading={approve.isPending}
          leftSection={<IconCheck size={16} aria-hidden="true" />}
          onClick={() => approve.mutate({ inventoryId, records: chosenRecords.map(asSeen) })}
        >
          Approve
        </Action>
      </div>
      {flags.error && (
        <p className="fc-review-none fc-soft" role="alert">
          <bdi>Couldn&rsquo;t check for unusual records: {flags.error.message}</bdi>
        </p>
      )}
      {data.filteredRows > shown.length && (
        <p className="fc-review-none fc-soft">
          The first {shown.length.toLocaleString()} of {data.filteredRows.toLocaleString()} records in review.
        </p>
      )}
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
            onReturn={() => askAndReturn([{ id: record.id, version: record.version }])}
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
