import { Button, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { type FeedRow, type FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { focusHeadingOnUnmount } from '#web/ui/overlay/focus-heading-on-unmount.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { startFixing, type FixValues, toFormErrors, readFixing } from './fix-values.ts'

const fixRow = send(feedRuns.fixRow)
const FIELDS = [
  { name: 'vin', label: 'VIN', length: 32 },
  { name: 'stock', label: 'Stock number', length: 50 },
  { name: 'year', label: 'Year', length: 4 },
  { name: 'make', label: 'Make', length: 60 },
  { name: 'model', label: 'Model', length: 80 },
  { name: 'price', label: 'Price', length: 20 },
] as const

/** Adds missing values to a rejected row. Fields left blank keep the value from the file. */
export function FixRowForm({ row, run, onClose }: { row: FeedRow; run: FeedRun; onClose: () => void }) {
  const [initial] = useState(() => startFixing(row))
  const [values, setValues] = useState<FixValues>(initial)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [stillRejected, setStillRejected] = useState<string | null>(null)
  const lots = useLotNames()
  const settings = useQuery(query(vehicles.settings, {}))
  const formElement = useRef<HTMLFormElement>(null)
  useEffect(() => focusHeadingOnUnmount(formElement.current), [])
  const { release } = useUnsavedGuard(JSON.stringify(values) !== JSON.stringify(initial))
  const fixing = useMutation({
    mutationFn: fixRow,
    onSuccess: (fixed) => {
      if (fixed.kind === 'refused') {
        setStillRejected(fixed.reasons.join(' '))
        return
      }
      release()
      toast('Row fixed', fixed.title)
    },
    onError: (failure: CallFailure) => {
      if (Object.keys(failure.fields).length === 0) showError(failure)
      else setWrong(toFormErrors(failure.fields))
    },
  })
  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (fixing.isPending) return
    const { input, wrong: found } = readFixing(
      values,
      { runId: run.id, id: row.id },
      settings.data?.currency ?? '',
    )
    setStillRejected(null)
    setWrong(found)
    if (Object.keys(found).length === 0) fixing.mutate(input)
  }
  return (
    <form
      ref={formElement}
      className="fc-feed-fix"
      noValidate
      aria-label={`Fix line ${row.line ?? ''}`}
      onSubmit={submit}
    >
      {FIELDS.map(({ name, label, length }, at) => (
        <TextInput
          key={name}
          label={label}
          maxLength={length}
          autoComplete="off"
          {...(at === 0 && { autoFocus: true })}
          {...(name === 'vin' && { dir: 'ltr' })}
          {...((name === 'year' || name === 'price') && { inputMode: 'decimal' as const })}
          error={wrong[name]}
          value={values[name]}
          onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
        />
      ))}
      <Select
        label="Lot"
        placeholder={lots.isPending ? 'Loading lots' : 'Lot from the file'}
        clearable
        searchable
        data={lots.choices}
        value={values.lotId}
        error={wrong['lotId']}
        onChange={(lotId) => setValues({ ...values, lotId })}
        onSearchChange={lots.search}
        nothingFoundMessage="No matching lots"
      />
      {stillRejected !== null && (
        <p className="fc-feed-still" role="alert">
          <bdi>Still rejected: {stillRejected}</bdi>
        </p>
      )}
      <div className="fc-buttons">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Action for={feedRuns.fixRow} type="submit" variant="default" loading={fixing.isPending}>
          Save and recheck
        </Action>
      </div>
    </form>
  )
}
