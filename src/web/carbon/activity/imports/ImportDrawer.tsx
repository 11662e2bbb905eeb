import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { activities } from '#contract/carbon/activity/activity.ts'
import {
  type activityImports as Calls,
  activityImports,
  type ImportRequest,
  type ImportPreview,
} from '#contract/carbon/activity/activity-imports.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import type { Got } from '#contract/endpoint.ts'
import { formatOf } from '#contract/entries/person-format.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { keyOf } from '#web/api/query.ts'
import { upload } from '#web/api/upload.ts'
import { FileDrop } from '#web/ui/files/FileDrop.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { invalidateRequests } from '../requests/use-requests.tsx'
import { ImportDone } from './ImportDone.tsx'
import { ImportPlan } from './ImportPlan.tsx'
import { PastImports } from './PastImports.tsx'
import './imports.css'

type Props = {
  inventoryId: string
  /** The source that is open: lines that name none belong to it. */
  sourceId: string | null
  onClose: () => void
  /** Records came or went. */
  onChanged: () => void
}

type ImportOptions = { file: File; sheet: string | null; mapping: ImportMapping | null }
type Added = Got<typeof Calls.add>

const unheard = { onSent: () => undefined }

/** Brings a file of bills in: what is in it, how its columns are matched, what each line becomes. */
export function ImportDrawer({ inventoryId, sourceId, onClose, onChanged }: Props) {
  const queries = useQueryClient()
  const [wanted, setWanted] = useState<ImportOptions | null>(null)
  const askedOf = ({ sheet, mapping }: ImportOptions): { inventoryId: string; asked: string } => {
    const { decimal, order } = formatOf()
    const asked: ImportRequest = { sheet, mapping, usual: { decimal, order }, sourceId }
    return { inventoryId, asked: JSON.stringify(asked) }
  }
  const signal = () => new AbortController().signal
  const reading = useMutation<ImportPreview, CallFailure, ImportOptions>({
    mutationFn: (one) =>
      upload(activityImports.read, askedOf(one), [one.file], { signal: signal(), ...unheard }),
  })
  const adding = useMutation<Added, CallFailure, ImportOptions>({
    mutationFn: (one) =>
      upload(activityImports.add, askedOf(one), [one.file], { signal: signal(), ...unheard }),
    onSuccess: () => forget(),
  })
  function forget() {
    for (const endpoint of [activities.list, ledger.totals, ledger.rows, activityImports.list]) {
      void queries.invalidateQueries({ queryKey: keyOf(endpoint) })
    }
    void invalidateRequests()
    onChanged()
  }
  function read(next: ImportOptions) {
    setWanted(next)
    adding.reset()
    reading.mutate(next)
  }
  const found = reading.data
  const failure = adding.error ?? reading.error
  const isDone = adding.data !== undefined
  return (
    <FormDrawer
      title="Import activity"
      about="Bills and meter readings from CSV or XLSX, up to 20,000 lines"
      size={860}
      onClose={onClose}
    >
      <div className="fc-import">
        <FileDrop
          text="Drop a file of bills here."
          file={wanted?.file ?? null}
          accept=".csv,.tsv,.txt,.xlsx"
          isBusy={reading.isPending || adding.isPending}
          onTake={(file) => read({ file, sheet: null, mapping: null })}
        />
        <div aria-live="polite">
          {reading.isPending && <output className="fc-small fc-soft">Reading the file ...</output>}
          {failure !== null && (
            <p className="fc-form-alert" role="alert">
              <bdi>{failure.message}</bdi>
            </p>
          )}
          {adding.data && <ImportDone done={adding.data} onUndone={forget} />}
        </div>
        {found && wanted && !isDone && (
          <ImportPlan
            found={found}
            isReading={reading.isPending}
            isAdding={adding.isPending}
            onSheet={(sheet) => read({ ...wanted, sheet, mapping: null })}
            onMapping={(mapping) => read({ ...wanted, sheet: found.sheet, mapping })}
            onImport={() => adding.mutate({ ...wanted, sheet: found.sheet, mapping: found.mapping })}
          />
        )}
        {(wanted === null || isDone) && <PastImports inventoryId={inventoryId} onUndone={forget} />}
      </div>
    </FormDrawer>
  )
}
