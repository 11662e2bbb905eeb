import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type FeedRow, type FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { focusHeadingOnUnmount } from '#web/ui/overlay/focus-heading-on-unmount.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { findDifferences } from '#web/ui/record/differences.ts'
import { useKeptGuard } from '#web/ui/record/kept-typing.ts'
import { KeptNotice } from '#web/ui/record/RecordForm.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { startFixing, type FixValues, toFormErrors, readFixing } from './fix-values.ts'

const fixRow = send(feedRuns.fixRow)
const LABELS = {
  vin: 'VIN',
  stock: 'Stock number',
  year: 'Year',
  make: 'Make',
  model: 'Model',
  price: 'Price',
  lotId: 'Lot',
}
const FIELDS = [
  { name: 'vin', length: 32 },
  { name: 'stock', length: 50 },
  { name: 'year', length: 4 },
  { name: 'make', length: 60 },
  { name: 'model', length: 80 },
  { name: 'price', length: 20 },
] as const

type Props = { row: FeedRow; run: FeedRun; onClose: () => void }

/** Saves the values and checks the row again. `onFixed`: it isn't rejected any longer. */
function useFixing({ row, run }: Pick<Props, 'row' | 'run'>, onFixed: () => void) {
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [stillRejected, setStillRejected] = useState<string | null>(null)
  const settings = useQuery(query(vehicles.settings, {}))
  const fixing = useMutation({
    mutationFn: fixRow,
    onSuccess: (fixed) => {
      if (fixed.kind === 'refused') {
        setStillRejected(fixed.reasons.join(' '))
        return
      }
      onFixed()
      toast('Row fixed', fixed.title)
    },
    onError: (failure: CallFailure) => {
      if (Object.keys(failure.fields).length === 0) showError(failure)
      else setWrong(toFormErrors(failure.fields))
    },
  })
  function submit(values: FixValues) {
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
  return { wrong, stillRejected, isBusy: fixing.isPending, submit }
}

/** Adds missing values to a rejected row. Fields left blank keep the value from the file. */
export function FixRowForm({ row, run, onClose }: Props) {
  const [initial] = useState(() => startFixing(row))
  const [values, setValues] = useState<FixValues>(initial)
  const lots = useLotNames()
  const formElement = useRef<HTMLFormElement>(null)
  useEffect(() => focusHeadingOnUnmount(formElement.current), [])
  const { kept, release } = useKeptGuard({
    endpoint: feedRuns.fixRow,
    record: row,
    values,
    changed: findDifferences(LABELS, values, initial),
    putBack: (typed) => setValues((now) => ({ ...now, ...typed })),
  })
  const { wrong, stillRejected, isBusy, submit } = useFixing({ row, run }, release)
  return (
    <form
      ref={formElement}
      className="fc-feed-fix"
      noValidate
      aria-label={`Fix line ${row.line ?? ''}`}
      onSubmit={(event) => {
        event.preventDefault()
        submit(values)
      }}
    >
      <Locked isBusy={isBusy}>
        <KeptNotice kept={kept} labels={LABELS} />
        {FIELDS.map(({ name, length }, at) => (
          <TextInput
            key={name}
            label={LABELS[name]}
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
          label={LABELS.lotId}
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
          <Action for={feedRuns.fixRow} type="submit" variant="default" loading={isBusy}>
            Save and recheck
          </Action>
        </div>
      </Locked>
    </form>
  )
}
