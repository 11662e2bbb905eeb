import { type ReactNode, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { LoadedRecord } from './LoadedRecord.tsx'
import type { FormModel } from './record-form.ts'
import { RecordForm } from './RecordForm.tsx'
import { StaleDialog } from './StaleDialog.tsx'
import {
  type RecordFormState,
  useRecordForm,
  type Versioned,
  type SentForApproval,
} from './use-record-form.ts'

/** What a form has to know about its record. `recordForm` makes one. */
export type EditedModel<Values, Saved, Sent> = Omit<FormModel<Values, Saved, Sent>, 'blank' | 'fields'> &
  Partial<Pick<FormModel<Values, Saved, Sent>, 'blank' | 'fields'>> & {
    /** See `useRecordForm`. */
    onMerged?: (base: Values, theirs: Values) => void
    /** See `StaleDialog`. */
    describe?: (name: keyof Values & string, base: Values, changed: Values) => readonly string[] | null
  }

/** What is given to the inputs and buttons of a form. */
type Edited<Values, Saved> = {
  record: RecordFormState<Values, Saved>
  /** As the form started; null for a new one. */
  saved: Saved | null
  /** Which one saves. */
  endpoint: Endpoint
}

type Props<Values, Saved, Sent> = {
  /** As loaded; null for a new one. Set the component's `key` to its ID. */
  saved: Saved | null
  /** "this lot". */
  thing: string
  form: EditedModel<Values, Saved, Sent>
  /** Their permissions lock the form. Without `add`, records are only changed here. */
  endpoints: { add?: Endpoint; update: Endpoint }
  /** `change` is null for a new record, and `version` the one to replace. Null: not saved, which is explained elsewhere. */
  save: (
    input: Sent,
    change: { saved: Saved; version: number | undefined } | null,
  ) => Promise<Saved | SentForApproval | null>
  /** After a save, or when the user reloaded another user's version. */
  onKept?: (saved: Saved) => void
  onSaved?: (saved: Saved, before: Saved | null) => void
  /** Closes the form after a save. If more was typed meanwhile, the form stays. */
  closes?: ((saved: Saved) => void) | undefined
  /** Someone deleted the record, and the form is that of a new one now. */
  onAgain?: (() => void) | undefined
  /** This record can't be changed, whatever the user's permissions. */
  isLocked?: ((saved: Saved | null) => boolean) | undefined
  /** Another action on the record is running, so it can't be saved. */
  isBusy?: boolean
  /** Formats a field for the comparison of two versions; the default shows text as is. `versions`: the newest first. */
  show?: ((name: string, values: Values, versions: readonly Saved[]) => ReactNode) | undefined
  className?: string | undefined
  /** It closes when it is saved. */
  isClosing?: boolean
  /** The inputs and the buttons. */
  children: (edited: Edited<Values, Saved>) => ReactNode
}

/**
 * The form of one record, wherever it is shown: starts with what was loaded, saves, resolves conflicts with changes of
 * others, and warns about unsaved changes. `RecordDrawer` and `RecordPage` add the frame and the buttons.
 */
export function RecordEditor<Values extends Record<string, unknown>, Saved extends Versioned, Sent>(
  props: Props<Values, Saved, Sent>,
) {
  if (props.saved === null) return <EditorForm {...props} keep={() => {}} />
  return (
    <LoadedRecord record={props.saved}>
      {(saved, keep) => <EditorForm {...props} saved={saved} keep={keep} />}
    </LoadedRecord>
  )
}

type FormProps<Values, Saved, Sent> = Props<Values, Saved, Sent> & { keep: (saved: Saved) => void }

function EditorForm<Values extends Record<string, unknown>, Saved extends Versioned, Sent>(
  props: FormProps<Values, Saved, Sent>,
) {
  const { thing, form, endpoints, isBusy = false, isClosing = false, show, className } = props
  // Once someone deleted the record, what was typed can be added as a new one.
  const [isAgain, setAgain] = useState(false)
  const start = () => {
    setAgain(true)
    props.onAgain?.()
  }
  const saved = isAgain ? null : props.saved
  const endpoint = saved ? endpoints.update : (endpoints.add ?? endpoints.update)
  const blank = saved ? form.toValues(saved) : form.blank
  if (blank === undefined) throw new Error('A form that adds records needs the values of a new one.')
  const record = useRecordForm<Values, Saved>({
    ...form,
    blank,
    record: saved,
    endpoint,
    isLocked: props.isLocked?.(saved) === true,
    save: (values, version) => props.save(form.toInput(values), saved && { saved, version }),
    keep: (kept) => {
      props.onKept?.(kept)
      props.keep(kept)
    },
    onSaved: (kept, { isTyping }) => {
      props.onSaved?.(kept, saved)
      // The form of a new record gives what was typed meanwhile to the one that opens next.
      if (saved === null || !isTyping) props.closes?.(kept)
    },
  })
  const versions = [record.stale?.current, saved].flatMap((one) => one ?? [])
  return (
    <RecordForm record={record} {...{ isBusy, isClosing }} {...(className !== undefined && { className })}>
      {props.children({ record, saved, endpoint })}
      <StaleDialog
        record={record}
        thing={thing}
        {...(endpoints.add && { again: { endpoint: endpoints.add, start } })}
        {...(show && { show: (name: string, values: Values) => show(name, values, versions) })}
        {...(form.describe && { describe: form.describe })}
      />
    </RecordForm>
  )
}
