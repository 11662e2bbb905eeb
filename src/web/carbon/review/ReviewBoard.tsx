import { Checkbox } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconChecks } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { activities, MAX_ROWS } from '#contract/carbon/activity/activity.ts'
import { findSourceType } from '#contract/carbon/inventories/source-types.ts'
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
const returnRecords = send(activities.releaseLease)
const CHOICES = { all: 'All that wait', unusual: 'Only what wants a look' } as const

type Props = {
  inventoryId: string
  isFrozen: boolean
  /** Only what wants a look is shown. */
  isUnusualOnly: boolean
  onUnusualOnly: (isOnly: boolean) => void
}

/** What was submitted, with what is unusual about it: approved, or returned with a comment. */
export function ReviewBoard({ inventoryId, isFrozen, isUnusualOnly, onUnusualOnly }: Props) {
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const only = isUnusualOnly ? ({ look: 'unusual' } as const) : {}
  const { data, error, refetch } = useQuery({
    ...query(activities.list, { inventoryId, status: 'submitted', pageSize: MAX_ROWS, ...only }),
    // The button that narrows the rows down stays under the hand.
    placeholderData: keepPreviousData,
  })
  const shown = data?.results ?? []
  const looked = useQuery(query(activities.unusual, { inventoryId }))
  const unusual = useMemo(
    () => new Map(looked.data?.records.map((one) => [one.recordId, one])),
    [looked.data],
  )
  const [message, setMessage] = useState('')
  const moved = {
    onError: (failure: Parameters<typeof showError>[0]) => showError(failure),
    onSuccess: ({ moved: done, refused }: Awaited<ReturnType<typeof approveRecords>>) => {
      setChosen(new Set())
      const words = refused.map((one) => one.message)
      setMessage([`${count(done, 'record', 'records')} done.`, ...new Set(words)].join(' '))
      for (const endpoint of [activities.list, activities.unusual, ledger.totals]) {
        void queries.invalidateQueries({ queryKey: keyOf(endpoint) })
      }
    },
  }
  const approve = useMutation({ mutationFn: approveRecords, ...moved })
  const releaseLease = useMutation({ mutationFn: returnRecords, ...moved })
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
  const gone = looked.data && <MissingMonths inventoryId={inventoryId} unusual={looked.data} />
  if (shown.length === 0 && !isUnusualOnly) {
    return (
      <>
        {gone}
        <NothingWaits inventoryId={inventoryId} message={message} />
      </>
    )
  }
  const picked = shown.filter(({ id }) => chosen.has(id))
  const wanted = picked.map(({ id, version }) => ({ id, version }))
  const lock = isFrozen ? 'The inventory is locked.' : null
  const askAndReturn = (of: readonly { id: string; version: number }[]) =>
    void askFor<string>(`Return ${count(of.length, 'record', 'records')}`, (answer) => (
      <ReturnForm onAnswer={answer} />
    )).then((comment) => {
      if (comment !== null) releaseLease.mutate({ inventoryId, records: [...of], comment })
    })
  const nothing = picked.length === 0 ? 'Choose records first.' : lock
  return (
    <div className="fc-review">
      <div className="fc-toolbar">
        <Checkbox
          label={`All ${shown.length.toLocaleString()}`}
          checked={picked.length === shown.length && shown.length > 0}
          indeterminate={picked.length > 0 && picked.length < shown.length}
          onChange={(event) =>
            setChosen(new Set(event.currentTarget.checked ? shown.map(({ id }) => id) : []))
          }
        />
        <Toggle
          label="Which records"
          choices={CHOICES}
          value={isUnusualOnly ? 'unusual' : 'all'}
          onChange={(one) => onUnusualOnly(one === 'unusual')}
        />
        <output className="fc-grow fc-small fc-soft">
          <bdi>{message}</bdi>
        </output>
        <Action
          for={activities.releaseLease}
          variant="default"
          lock={nothing}
          leftSection={<IconArrowBackUp size={16} className="fc-flip" aria-hidden="true" />}
          onClick={() => askAndReturn(wanted)}
        >
          Return
        </Action>
        <Action
          for={activities.approve}
          lock={nothing}
          loading={approve.isPending}
          leftSection={<IconCheck size={16} aria-hidden="true" />}
          onClick={() => approve.mutate({ inventoryId, records: wanted })}
        >
          Approve
        </Action>
      </div>
      {looked.error && (
        <p className="fc-review-none fc-soft" role="alert">
          <bdi>What is unusual could not be found: {looked.error.message}</bdi>
        </p>
      )}
      {data.filteredRows > shown.length && (
        <p className="fc-review-none fc-soft">
          The first {shown.length.toLocaleString()} of {data.filteredRows.toLocaleString()} records that wait.
        </p>
      )}
      {!isUnusualOnly && gone}
      {shown.length === 0 && <p className="fc-review-none fc-soft">Nothing that waits wants a look.</p>}
      <ul className="fc-review-rows">
        {shown.map((record) => (
          <ReviewRow
            key={record.id}
            record={record}
            title={findSourceType(record.sourceType)?.title ?? record.sourceType}
            unusual={unusual.get(record.id) ?? null}
            lock={lock}
            onApprove={() =>
              approve.mutate({ inventoryId, records: [{ id: record.id, version: record.version }] })
            }
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

/** Where nothing waits: how much is approved. */
function NothingWaits({ inventoryId, message }: { inventoryId: string; message: string }) {
  const { data } = useQuery(query(activities.list, { inventoryId, status: 'approved', pageSize: 1 }))
  const approved =
    data === undefined ? '' : `${count(data.filteredRows, 'record is', 'records are')} approved. `
  return (
    <EmptyState
      icon={<IconChecks size={18} />}
      title="Nothing waits for review"
      text={`${approved}What is submitted on Activity data comes here.`}
    >
      {message !== '' && <output>{message}</output>}
    </EmptyState>
  )
}
