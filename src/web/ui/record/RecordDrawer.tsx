import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { followJob } from '#web/ui/tasks/follow-job.ts'
import { LoadedRecord } from './LoadedRecord.tsx'
import type { FormModel } from './record-form.ts'
import { RecordForm } from './RecordForm.tsx'
import { StaleDialog } from './StaleDialog.tsx'
import { type RecordFormState, useRecordForm, type Versioned } from './use-record-form.ts'

/** What every record has, as `record` of the contract declares it. */
type Identified = Versioned & { id: string; updatedAt: string }
/** The version to change; null to add a record. */
type Change = { id: string; version: number | undefined } | null

/** How a list page opens one of its records. */
export type RecordDrawerProps = {
  /** The record's ID, or `new`. */
  id: string
  /** `isSaved`: closes without asking about unsaved changes. */
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
}

type Props<Values, Saved, Sent> = RecordDrawerProps & {
  /** "lot": used in titles, buttons and notices. */
  noun: string
  form: FormModel<Values, Saved, Sent>
  /** Their permissions lock the form and its buttons. `removeMany` runs as a job, so a deletion can be undone. */
  endpoints: {
    get: Endpoint<z.ZodType<unknown, { id: string | number }>, z.ZodType<Saved>>
    add: Endpoint
    update: Endpoint
    removeMany: Endpoint
  }
  save: (input: Sent, change: Change) => Promise<Saved>
  remove: (ids: string[]) => Promise<Job>
  /** Below the title of a new record: "A vehicle location". */
  about: string
  /** What users call the record: its name, and the number or code they know it by. */
  nameOf: (saved: Saved) => { name: string; code: string }
  /** Formats a field of one version for the comparison; the default shows text as is. */
  show?: (name: string, values: Values, current: Saved | undefined) => string
  /** The inputs. `saved` is null for a new record. */
  children: (record: RecordFormState<Values, Saved>, saved: Saved | null) => ReactNode
}

/**
 * One record in a drawer, or a blank form for a new one: loads, saves, resolves conflicting changes, warns about unsaved
 * changes, and deletes with undo. A feature adds its inputs and its texts (`LotDrawer`).
 */
export function RecordDrawer<Values extends Record<string, unknown>, Saved extends Identified, Sent>(
  props: Props<Values, Saved, Sent>,
) {
  const { id, noun, endpoints, about, nameOf, onClose } = props
  const isNew = id === 'new'
  const { data, error, isPending, refetch } = useQuery({
    ...query(endpoints.get, { id }),
    enabled: !isNew,
    // The form must start with current data, not a cached copy.
    gcTime: 0,
  })
  const close = () => onClose(false)
  if (isNew) {
    return (
      <FormDrawer title={`New ${noun}`} about={about} onClose={close}>
        <DrawerForm {...props} saved={null} />
      </FormDrawer>
    )
  }
  const title = data ? nameOf(data).name : capitalize(noun)
  return (
    <FormDrawer title={title} about={data && describe(props, data)} onClose={close}>
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={endpoints.get}
          what={`this ${noun}`}
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <RecordSkeleton label={`Loading the ${noun}`} shape="fields" />}
      {data && (
        <LoadedRecord key={data.id} record={data}>
          {(saved, keep) => <DrawerForm {...props} saved={saved} keep={keep} />}
        </LoadedRecord>
      )}
    </FormDrawer>
  )
}

type FormProps<Values, Saved, Sent> = Props<Values, Saved, Sent> & {
  saved: Saved | null
  keep?: (saved: Saved) => void
}

function DrawerForm<Values extends Record<string, unknown>, Saved extends Identified, Sent>(
  props: FormProps<Values, Saved, Sent>,
) {
  const { noun, form, endpoints, nameOf, onClose, onCreated, saved, keep, show } = props
  const endpoint = saved ? endpoints.update : endpoints.add
  const record = useRecordForm<Values, Saved>({
    ...form,
    record: saved,
    endpoint,
    save: (values, version) => props.save(form.toInput(values), saved && { id: saved.id, version }),
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(endpoints.get), { id: kept.id }], kept)
      keep?.(kept)
    },
    onSaved: (kept) => {
      const { name, code } = nameOf(kept)
      toast(`${capitalize(noun)} ${saved ? 'saved' : 'added'}`, `${name}, ${code}`)
      if (!saved) onCreated(kept.id)
    },
  })
  const remove = useMutation({
    mutationFn: props.remove,
    onSuccess: (job) => {
      record.release()
      onClose(true)
      void followJob(job)
    },
    onError: (failure) => showError(failure),
  })
  async function confirmRemoval(removed: Saved) {
    const { name, code } = nameOf(removed)
    const isSure = await ask({
      title: `Delete ${noun} ${code}?`,
      text: `${name} will be removed from all lists. You can undo this.`,
      confirm: `Delete ${noun}`,
      isDestructive: true,
    })
    if (isSure) remove.mutate([removed.id])
  }
  return (
    <RecordForm record={record} isBusy={remove.isPending}>
      {props.children(record, saved)}
      <FormFooter
        record={record}
        for={endpoint}
        save={`${saved ? 'Save' : 'Add'} ${noun}`}
        onCancel={() => onClose(false)}
      >
        {saved && (
          <Action
            for={endpoints.removeMany}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={record.isSaving || remove.isPending}
            onClick={() => void confirmRemoval(saved)}
          >
            Delete {noun}
          </Action>
        )}
      </FormFooter>
      <StaleDialog
        record={record}
        thing={`this ${noun}`}
        {...(show && { show: (name: string, values: Values) => show(name, values, record.stale?.current) })}
      />
    </RecordForm>
  )
}

/** "Lot NGF, changed Nov 22 by Luis Ortega". */
function describe<Values, Saved extends Identified, Sent>(
  { noun, nameOf }: Props<Values, Saved, Sent>,
  saved: Saved,
): string {
  const by = saved.updatedBy == null ? '' : ` by ${saved.updatedBy}`
  return `${capitalize(noun)} ${nameOf(saved).code}, changed ${formatDay(saved.updatedAt)}${by}`
}

function capitalize(noun: string): string {
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`
}
