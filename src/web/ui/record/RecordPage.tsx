import type { ReactElement, ReactNode } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { type Load, Loaded } from './Loaded.tsx'
import { LoadedRecord } from './LoadedRecord.tsx'
import type { FormModel } from './record-form.ts'
import { RecordForm } from './RecordForm.tsx'
import { StaleDialog } from './StaleDialog.tsx'
import { type RecordFormState, useRecordForm, type Versioned } from './use-record-form.ts'
import styles from './RecordPage.module.css'

type Props<Values, Saved, Sent> = {
  /** The record, which the page reads for its header too; null for a new one. */
  load: Load<Saved> | null
  /** "organization": used in buttons and notices. */
  noun: string
  /** "this organization". */
  thing: string
  /** What is said to be loaded or to have failed, if it isn't `thing`. */
  what?: string
  /** The skeleton while it loads. */
  shape: 'fields' | 'spinner' | ReactElement
  form: Omit<FormModel<Values, Saved, Sent>, 'fields' | 'blank'> & { blank?: Values }
  /** Their permissions lock the form and its buttons. Without `add`, records are only changed here. */
  endpoints: { get: Endpoint; add?: Endpoint; update: Endpoint }
  /** The input of `get` for a record. */
  cachedBy: (saved: Saved) => z.input<Endpoint['input']>
  save: (input: Sent, change: { saved: Saved; version: number | undefined } | null) => Promise<Saved>
  nameOf: (saved: Saved) => string
  onCreated?: (id: string) => void
  /** Whether this record can't be changed, whatever the user's permissions. */
  isLocked?: (saved: Saved) => boolean
  /** Formats a field for the comparison of two versions. */
  show?: (name: string, values: Values) => ReactNode
  className?: string
  /** The inputs. */
  children: (record: RecordFormState<Values, Saved>, saved: Saved | null) => ReactNode
  /** Below the form of a saved record. */
  renderAfter?: (saved: Saved) => ReactNode
}

/**
 * One record on a page of its own: its form with a bar for unsaved changes, resolved conflicts and a warning before they are
 * lost. The sister of `RecordDrawer`; the page adds its header, tabs and inputs.
 */
export function RecordPage<
  Values extends Record<string, unknown>,
  Saved extends Versioned & { id: string },
  Sent,
>(props: Props<Values, Saved, Sent>) {
  const { load, thing, what = thing, shape, renderAfter } = props
  if (load === null) return <PageForm {...props} saved={null} />
  return (
    <Loaded query={load} what={what} shape={shape}>
      {(loaded) => (
        <>
          <LoadedRecord key={loaded.id} record={loaded}>
            {(saved, keep) => <PageForm {...props} saved={saved} keep={keep} />}
          </LoadedRecord>
          {renderAfter?.(loaded)}
        </>
      )}
    </Loaded>
  )
}

type FormProps<Values, Saved, Sent> = Props<Values, Saved, Sent> & {
  saved: Saved | null
  keep?: (saved: Saved) => void
}

function PageForm<Values extends Record<string, unknown>, Saved extends Versioned & { id: string }, Sent>(
  props: FormProps<Values, Saved, Sent>,
) {
  const { noun, thing, form, endpoints, nameOf, saved, show, isLocked } = props
  const endpoint = saved ? endpoints.update : (endpoints.add ?? endpoints.update)
  const blank = saved ? form.toValues(saved) : form.blank
  if (blank === undefined) throw new Error('A page that adds records needs the values of a new one.')
  const title = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`
  const record = useRecordForm<Values, Saved>({
    ...form,
    blank,
    record: saved,
    endpoint,
    ...(saved && isLocked && { isLocked: isLocked(saved) }),
    save: (values, version) => props.save(form.toInput(values), saved && { saved, version }),
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(endpoints.get), props.cachedBy(kept)], kept)
      props.keep?.(kept)
    },
    onSaved: (kept) => {
      toast(`${title} ${saved ? 'saved' : 'added'}`, nameOf(kept))
      if (!saved) props.onCreated?.(kept.id)
    },
  })
  const { changed, isSaving, submit, discard } = record
  const labels: Readonly<Record<string, string>> = form.labels
  return (
    <RecordForm record={record} {...(props.className !== undefined && { className: props.className })}>
      {props.children(record, saved)}
      {saved === null && (
        <div className={styles.end}>
          <Action for={endpoint} type="submit" loading={isSaving}>
            Add {noun}
          </Action>
        </div>
      )}
      {saved && changed.length > 0 && (
        <SaveBar
          title={`${count(changed.length, 'field', 'fields')} changed`}
          line={changed.map((name) => labels[name]).join(', ')}
          for={endpoint}
          isSaving={isSaving}
          onSave={submit}
          onDiscard={discard}
        />
      )}
      <StaleDialog record={record} thing={thing} {...(show && { show })} />
    </RecordForm>
  )
}
