import { askToRemove } from './ask-to-remove.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { capitalize } from '#contract/capitalize.ts'
import type { Seen } from '#contract/deletion.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { followJob } from '#web/ui/tasks/follow-job.ts'
import type { Load } from './Loaded.tsx'
import { type EditedModel, RecordEditor } from './RecordEditor.tsx'
import { RecordInputs } from './RecordInputs.tsx'
import type { RecordFormState, Versioned, SentForApproval } from './use-record-form.ts'

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

type Removal<Saved> = (
  | { endpoint: Endpoint<typeof Seen>; start?: never }
  /** A job deletes it, which is followed, and its undo offered. */
  | { endpoint: Endpoint; start: (saved: Saved) => Promise<Job> }
) & {
  /** The question; the default is "Delete Main Street?". */
  title?: (saved: Saved) => string
  /** What follows from the deletion: asked before. */
  text?: string | ((saved: Saved) => string)
  /** Instead of a question, if it can be undone without a job. */
  undo?: { text: (saved: Saved) => string; run: (saved: Saved) => Promise<unknown> }
  /** The button; "Delete" by default. */
  label?: string
  /** Why this record can't be deleted, as a sentence; null if it can. */
  lock?: (saved: Saved) => string | null
}

type Props<Values, Saved, Sent> = Omit<RecordDrawerProps, 'onCreated'> & {
  onCreated?: (id: string) => void
  /** "lot": used in titles, buttons and notices. */
  noun: string
  /** Shorter, for buttons: "handler" of an "email handler". */
  short?: string
  /** A function if the form depends on the record; null for a new one. */
  form: EditedModel<Values, Saved, Sent> | ((saved: Saved | null) => EditedModel<Values, Saved, Sent>)
  /** Their permissions lock the form and its buttons. */
  endpoints: {
    get: Endpoint<z.ZodType<unknown, { id: string | number }>, z.ZodType<Saved>>
    add: Endpoint
    update: Endpoint
  }
  /** `saved`: as the form started. Null: not saved, which is explained elsewhere. */
  save: (input: Sent, change: Change, saved: Saved | null) => Promise<Saved | SentForApproval | null>
  remove?: Removal<Saved>
  /** The title of a new record, if it isn't "New lot". */
  newTitle?: string
  /** Below the title of a new record: "A vehicle location". */
  about: ReactNode
  /** Below the title of a saved one, instead of who changed it when. */
  describe?: (saved: Saved) => ReactNode
  /** What users call the record: its name, and the number or code they know it by. */
  nameOf: (saved: Saved) => { name: string; code?: string }
  /** The width in px. */
  size?: number
  /** Of the form. */
  className?: string
  /** Formats a field of one version for the comparison; the default shows text as is. `versions`: the newest first. */
  show?: (name: string, values: Values, versions: readonly Saved[]) => ReactNode
  /** Why this user can't change any of these records, as a sentence; null if they can. */
  disabledReason?: string | null
  /** Why this record can't be changed; null if it can. */
  lockOf?: (saved: Saved) => string | null
  /** What the form needs besides the record. It opens when this has loaded too. */
  needs?: Pick<Load<unknown>, 'data' | 'error' | 'retry'>
  /** Another action on the record is running, so it can't be saved. */
  isBusy?: boolean
  /** Beside Close, for a saved record. */
  renderTools?: (saved: Saved) => ReactNode
  /** What is shown beside or instead of the form, such as tabs. Null: it was deleted and is about to be added again. */
  renderAround?: (saved: Saved | null, form: ReactNode) => ReactNode
  /** More buttons of a saved record. */
  renderFooter?: (record: RecordFormState<Values, Saved>, saved: Saved) => ReactNode
  /** It closes when it is saved: see `RecordEditor`. */
  closes?: () => void
  /** After the notice. `before` is null for a new record. */
  onSaved?: (saved: Saved, before: Saved | null) => void
  /** The inputs, unless those that follow from the kinds of the fields are enough. `saved` is null for a new record. */
  children?: (record: RecordFormState<Values, Saved>, saved: Saved | null) => ReactNode
}

const NO_NEEDS = { data: null, error: null, retry: () => {} }

/**
 * One record in a drawer, or a blank form for a new one: loads, saves, resolves conflicting changes, warns about unsaved
 * changes, and deletes. A feature adds its inputs and its texts (`LotDrawer`).
 */
export function RecordDrawer<Values extends Record<string, unknown>, Saved extends Identified, Sent>(
  props: Props<Values, Saved, Sent>,
) {
  const { id, noun, endpoints, about, nameOf, size, needs = NO_NEEDS, onClose } = props
  const { renderAround: around = (_saved: Saved | null, form: ReactNode) => form } = props
  const isNew = id === 'new'
  const [isAgain, setAgain] = useState(false)
  const { data, error, isPending, refetch } = useQuery({
    ...query(endpoints.get, { id }),
    enabled: !isNew,
    // The form must start with current data, not a cached copy.
    gcTime: 0,
  })
  const shown = isAgain ? undefined : data
  const savedTitle = shown ? nameOf(shown).name : capitalize(noun)
  const startsNew = isNew || isAgain
  const isWaiting = needs.data === undefined && needs.error === null
  const failure = (needs.data === undefined ? needs.error : null) ?? (data ? null : error)
  const isReady = !failure && !isWaiting
  return (
    <FormDrawer
      title={startsNew ? (props.newTitle ?? `New ${noun}`) : savedTitle}
      about={startsNew ? about : shown && <bdi>{describe(props, shown)}</bdi>}
      onClose={() => onClose(false)}
      tools={shown && props.renderTools?.(shown)}
      {...(size !== undefined && { size })}
    >
      {failure && (
        <FailureState
          failure={failure}
          endpoint={endpoints.get}
          what={`this ${noun}`}
          onRetry={() => {
            needs.retry()
            if (!isNew) void refetch()
          }}
        />
      )}
      {!failure && (isWaiting || (!isNew && isPending)) && (
        <RecordSkeleton label={`Loading the ${noun}`} shape="fields" />
      )}
      {isReady && isNew && <DrawerForm {...props} saved={null} />}
      {isReady &&
        data &&
        around(
          shown ?? null,
          <DrawerForm key={data.id} {...props} saved={data} onAgain={() => setAgain(true)} />,
        )}
    </FormDrawer>
  )
}

type FormProps<Values, Saved, Sent> = Props<Values, Saved, Sent> & {
  saved: Saved | null
  onAgain?: () => void
}

function DrawerForm<Values extends Record<string, unknown>, Saved extends Identified, Sent>(
  props: FormProps<Values, Saved, Sent>,
) {
  const { noun, short = noun, form, endpoints, nameOf, onClose, disabledReason = null } = props
  const model = typeof form === 'function' ? form(props.saved) : form
  const removal = useRemoval(props)
  const lockFor = (saved: Saved | null) => disabledReason ?? (saved && (props.lockOf?.(saved) ?? null))
  const isBusy = props.isBusy === true || removal.isPending
  return (
    <RecordEditor
      saved={props.saved}
      thing={`this ${noun}`}
      form={model}
      endpoints={endpoints}
      isLocked={(saved) => lockFor(saved) !== null}
      isBusy={isBusy}
      save={(input, change) =>
        props.save(input, change && { id: change.saved.id, version: change.version }, change && change.saved)
      }
      onKept={(kept) => {
        queryClient.setQueryData([...keyOf(endpoints.get), { id: kept.id }], kept)
        holdFocus()
      }}
      onSaved={(kept, before) => {
        const { name, code } = nameOf(kept)
        toast(
          `${capitalize(noun)} ${before ? 'saved' : 'added'}`,
          code === undefined ? name : `${name}, ${code}`,
        )
        if (!before) props.onCreated?.(kept.id)
        props.onSaved?.(kept, before)
      }}
      closes={props.closes}
      onAgain={props.onAgain}
      show={props.show}
      className={props.className}
    >
      {({ record, saved, endpoint }) => {
        const lock = lockFor(saved)
        return (
          <>
            {props.children ? (
              props.children(record, saved)
            ) : (
              <RecordInputs record={record} fields={model.fields ?? {}} isNew={saved === null} />
            )}
            <FormFooter
              record={record}
              for={endpoint}
              save={`${saved ? 'Save' : 'Add'} ${short}`}
              lock={lock}
              onCancel={() => onClose(false)}
            >
              {saved && props.remove && (
                <Action
                  for={props.remove.endpoint}
                  lock={lock ?? props.remove.lock?.(saved) ?? null}
                  variant="subtle"
                  className="fc-quiet-danger"
                  disabled={record.isSaving || isBusy}
                  onClick={() => void removal.start(saved, record.release)}
                >
                  {props.remove.label ?? 'Delete'}
                </Action>
              )}
              {saved && props.renderFooter?.(record, saved)}
            </FormFooter>
          </>
        )
      }}
    </RecordEditor>
  )
}

/** A new form lacks the button that had the focus. The drawer gets it, so that Escape still closes it. */
function holdFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>('.fc-drawer[role="dialog"]')?.focus()
  })
}

/** Deletes a record after a confirmation, or at once if that can be undone. */
function useRemoval<Values, Saved extends Identified, Sent>({
  noun,
  short = noun,
  nameOf,
  remove,
  endpoints,
  onClose,
}: Props<Values, Saved, Sent>) {
  const { mutateAsync, isPending } = useMutation({
    mutationFn: async (saved: Saved): Promise<Job | null> => {
      if (remove?.start !== undefined) return remove.start(saved)
      const { id, version } = saved
      if (remove !== undefined) await send(remove.endpoint)({ id, version })
      return null
    },
  })
  async function start(saved: Saved, release: () => void) {
    if (!remove) return
    const { undo } = remove
    const { name, code } = nameOf(saved)
    const done = await askToRemove({
      read: endpoints.get,
      shown: saved,
      thing: `this ${noun}`,
      isQuiet: undo !== undefined,
      question: {
        title: remove.title?.(saved) ?? `Delete ${code === undefined ? name : `${noun} ${code}`}?`,
        text: typeof remove.text === 'function' ? remove.text(saved) : (remove.text ?? ''),
        confirm: `Delete ${short}`,
      },
      run: mutateAsync,
    })
    if (done === null) return
    release()
    if (done === 'gone') return onClose(true)
    const { removed, result: job } = done
    if (undo !== undefined) offerUndo({ text: undo.text(removed), undo: () => undo.run(removed) })
    else if (job === null) toast(`${capitalize(noun)} deleted`, nameOf(removed).name)
    onClose(true)
    if (job !== null) void followJob(job)
  }
  return { start, isPending }
}

/** "Lot NGF, changed Nov 22 by Luis Ortega"; without a code, "Changed Nov 22 by Luis Ortega". */
function describe<Values, Saved extends Identified, Sent>(
  props: Props<Values, Saved, Sent>,
  saved: Saved,
): ReactNode {
  const { code } = props.nameOf(saved)
  if (props.describe) return props.describe(saved)
  const change = describeChange(saved)
  return code === undefined ? capitalize(change) : `${capitalize(props.noun)} ${code}, ${change}`
}

/** "changed Nov 22 by Luis Ortega". */
export function describeChange({
  updatedAt,
  updatedBy,
}: Pick<Identified, 'updatedAt' | 'updatedBy'>): string {
  return `changed ${formatDay(updatedAt)}${updatedBy == null ? '' : ` by ${updatedBy}`}`
}
