import { Button, Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { type FeedRow, type FeedRun, feedRuns } from '#contract/inventory/feeds/runs/feed-runs.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { handFocusOn } from '#web/ui/overlay/hand-focus-on.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { useLotNames } from '#web/inventory/vehicles/use-lot-names.ts'
import { startFixing, type FixValues, placeSentences, readFixing } from './fix-values.ts'

const fixRow = send(feedRuns.mend)
const FIELDS = [
  { name: 'vin', label: 'VIN', length: 32 },
  { name: 'stock', label: 'Stock', length: 50 },
  { name: 'year', label: 'Year', length: 4 },
  { name: 'make', label: 'Make', length: 60 },
  { name: 'model', label: 'Model', length: 80 },
  { name: 'price', label: 'Price', length: 20 },
] as const

/** Gives a refused row what it lacks, in its place. What is left empty stays as the file says. */
export function FixRowForm({ row, run, onClose }: { row: FeedRow; run: FeedRun; onClose: () => void }) {
  const [begun] = useState(() => startFixing(row))
  const [values, setValues] = useState<FixValues>(begun)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [still, setStill] = useState<string | null>(null)
  const lots = useLotNames()
  const frame = useRef<HTMLFormElement>(null)
  useEffect(() => handFocusOn(frame.current), [])
  const { release } = useUnsavedGuard(JSON.stringify(values) !== JSON.stringify(begun))
  const mending = useMutation({
    mutationFn: fixRow,
    onSuccess: async (mended) => {
      if (mended.kind === 'refused') {
        setStill(mended.reasons.join(' '))
        return
      }
      release()
      toast('Row mended', mended.title)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: [...keyOf(feedRuns.get), { id: run.id }] }),
        queryClient.invalidateQueries({ queryKey: keyOf(feedRuns.rows) }),
      ])
    },
    onError: (failure: CallFailure) => {
      if (Object.keys(failure.fields).length === 0) showError(failure)
      else setWrong(placeSentences(failure.fields))
    },
  })
  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (mending.isPending) return
    const { input, wrong: found } = readFixing(values, { runId: run.id, id: row.id })
    setStill(null)
    setWrong(found)
    if (Object.keys(found).length === 0) mending.mutate(input)
  }
  return (
    <form
      ref={frame}
      className="fc-feed-mend"
      noValidate
      aria-label={`Mend line ${row.line ?? ''}`}
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
        placeholder={lots.isPending ? 'Loading the lots' : 'As the file says'}
        clearable
        searchable
        data={lots.choices}
        value={values.lotId}
        error={wrong['lotId']}
        onChange={(lotId) => setValues({ ...values, lotId })}
        onSearchChange={lots.search}
        nothingFoundMessage="No such lot"
      />
      {still !== null && (
        <p className="fc-feed-still" role="alert">
          <bdi>Still refused: {still}</bdi>
        </p>
      )}
      <div className="fc-buttons">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Action for={feedRuns.mend} type="submit" variant="default" loading={mending.isPending}>
          Mend row
        </Action>
      </div>
    </form>
  )
}
