import type { ReactElement, ReactNode } from 'react'
import type { z } from 'zod'
import { capitalize } from '#contract/capitalize.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { type Load, Loaded } from './Loaded.tsx'
import { type EditedModel, RecordEditor } from './RecordEditor.tsx'
import type { RecordFormState, Versioned, SentForApproval } from './use-record-form.ts'
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
  form: EditedModel<Values, Saved, Sent>
  /** Their permissions lock the form and its buttons. Without `add`, records are only changed here. */
  endpoints: { get: Endpoint; add?: Endpoint; update: Endpoint }
  /** The input of `get` for a record. */
  cachedBy: (saved: Saved) => z.input<Endpoint['input']>
  /** Null: not saved, which is explained elsewhere. */
  save: (
    input: Sent,
    change: { saved: Saved; version: number | undefined } | null,
  ) => Promise<Saved | SentForApproval | null>
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
          <PageForm key={loaded.id} {...props} saved={loaded} />
          {renderAfter?.(loaded)}
        </>
      )}
    </Loaded>
  )
}

function PageForm<Values extends Record<string, unknown>, Saved extends Versioned & { id: string }, Sent>(
  props: Props<Values, Saved, Sent> & { saved: Saved | null },
) {
  const { noun, thing, form, endpoints, nameOf, saved, show, isLocked } = props
  const labels: Readonly<Record<string, string>> = form.labels
  return (
    <RecordEditor
      saved={saved}
      thing={thing}
      form={form}
      endpoints={endpoints}
      isLocked={(one) => one !== null && isLocked?.(one) === true}
      save={props.save}
      onKept={(kept) => queryClient.setQueryData([...keyOf(endpoints.get), props.cachedBy(kept)], kept)}
      onSaved={(kept, before) => {
        toast(`${capitalize(noun)} ${before ? 'saved' : 'added'}`, nameOf(kept))
        if (!before) props.onCreated?.(kept.id)
      }}
      show={show}
      className={props.className}
    >
      {({ record, saved: edited, endpoint }) => (
        <>
          {props.children(record, edited)}
          {edited === null && (
            <div className={styles.end}>
              <Action for={endpoint} type="submit" loading={record.isSaving}>
                Add {noun}
              </Action>
            </div>
          )}
          {edited && (record.changed.length > 0 || record.conflict) && (
            <SaveBar
              title={`${count(record.changed.length, 'field', 'fields')} changed`}
              line={record.changed.map((name) => labels[name]).join(', ')}
              for={endpoint}
              isSaving={record.isSaving}
              onSave={record.submit}
              onDiscard={record.discard}
              conflict={record.conflict}
              onShowWrong={record.showWrong}
            />
          )}
        </>
      )}
    </RecordEditor>
  )
}
