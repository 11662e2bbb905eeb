import { useRef, useState } from 'react'
import {
  type activityImports as Calls,
  activityImports,
  type ImportRequest,
  type ImportPreview,
} from '#contract/carbon/activity/activity-imports.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import type { Output } from '#contract/endpoint.ts'
import { localeFormat } from '#contract/parsing/locale-format.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { isSame, useMutation } from '#web/api/mutation.ts'
import { upload } from '#web/api/upload.ts'
import { FileDrop } from '#web/ui/files/FileDrop.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { ImportDone } from './ImportDone.tsx'
import { ImportPlan } from './ImportPlan.tsx'
import { PastImports } from './PastImports.tsx'
import './imports.css'

type Props = {
  inventoryId: string
  /** The open source: lines that don't name a source belong to it. */
  sourceId: string | null
  onClose: () => void
  /** Records were added or deleted. */
  onChanged: () => void
}

type ImportOptions = { file: File; sheet: string | null; mapping: ImportMapping | null }
type Added = Output<typeof Calls.add>

const ignoreProgress = { onSent: () => undefined }

/** Imports an activity data file: shows its lines, the column mapping, and what each line would become. */
export function ImportDrawer({ inventoryId, sourceId, onClose, onChanged }: Props) {
  const [options, setOptions] = useState<ImportOptions | null>(null)
  // While the file is read again with another mapping, the last preview stays.
  const latest = useRef<ImportOptions | null>(null)
  const [preview, setPreview] = useState<ImportPreview | null>(null)
  const requestOf = ({ sheet, mapping }: ImportOptions): { inventoryId: string; asked: string } => {
    const { decimal, order } = localeFormat()
    const asked: ImportRequest = { sheet, mapping, usual: { decimal, order }, sourceId }
    return { inventoryId, asked: JSON.stringify(asked) }
  }
  const signal = () => new AbortController().signal
  const reading = useMutation<ImportPreview, CallFailure, ImportOptions>({
    mutationFn: (one) =>
      upload(activityImports.read, requestOf(one), [one.file], { signal: signal(), ...ignoreProgress }),
    // Another answer may have been given meanwhile.
    onSuccess: (found, one) => {
      if (isSame(one, latest.current)) setPreview(found)
    },
  })
  const adding = useMutation<Added, CallFailure, ImportOptions>({
    mutationFn: (one) =>
      upload(activityImports.add, requestOf(one), [one.file], { signal: signal(), ...ignoreProgress }),
    onSuccess: onChanged,
    // Records changed meanwhile: what is asked about them is asked again.
    onError: ({ status }, one) => {
      if (status !== 409) return
      latest.current = one
      reading.mutate(one)
    },
  })
  function read(next: ImportOptions) {
    setOptions(next)
    latest.current = next
    if (next.mapping === null) setPreview(null)
    adding.reset()
    reading.mutate(next)
  }
  const failure = adding.error ?? reading.error
  const isDone = adding.data !== undefined
  return (
    <FormDrawer
      title="Import activity data"
      about="Bills and meter readings from a CSV or XLSX file, up to 20,000 lines"
      size={860}
      onClose={onClose}
    >
      <div className="fc-import">
        <FileDrop
          text="Drop a file here."
          file={options?.file ?? null}
          accept=".csv,.tsv,.txt,.xlsx"
          isBusy={reading.isPending || adding.isPending}
          onTake={(file) => read({ file, sheet: null, mapping: null })}
        />
        <div aria-live="polite">
          {reading.isPending && <output className="fc-small fc-soft">Reading the file…</output>}
          {failure !== null && (
            <p className="fc-form-alert" role="alert">
              <bdi>{failure.message}</bdi>
            </p>
          )}
          {adding.data && <ImportDone done={adding.data} onUndone={onChanged} />}
        </div>
        {preview && options && !isDone && (
          <ImportPlan
            preview={preview}
            isReading={reading.isPending}
            isAdding={adding.isPending}
            onSheet={(sheet) => read({ ...options, sheet, mapping: null })}
            onMapping={(mapping) => {
              // The choice is shown at once, what follows from it once the file was read.
              setPreview({ ...preview, mapping })
              read({ ...options, sheet: preview.sheet, mapping })
            }}
            onImport={() => adding.mutate({ ...options, sheet: preview.sheet, mapping: preview.mapping })}
          />
        )}
        {(options === null || isDone) && <PastImports inventoryId={inventoryId} onUndone={onChanged} />}
      </div>
    </FormDrawer>
  )
}
