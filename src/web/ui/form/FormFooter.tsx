import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { count } from '#web/ui/layout/date-format.ts'

type Props = {
  record: Readonly<{ changed: readonly string[]; isSaving: boolean }>
  /** The endpoint that saves. It determines the button's permission. */
  for: Endpoint
  /** "Save lot", "Add lot". */
  save: string
  /** Why this record can't be saved, as a sentence; null if it can. */
  lock?: string | null
  onCancel: () => void
  /** A destructive action, at the start. */
  children?: ReactNode
}

/** The footer of a form in a drawer: destructive action, number of changes, Cancel and Save. */
export function FormFooter(props: Props) {
  const { record, for: endpoint, save, lock = null, onCancel, children } = props
  const changed = record.changed.length
  return (
    <div className="fc-form-footer">
      {children}
      <span className="fc-grow" />
      <output className="fc-small fc-soft">
        {changed > 0 && `${count(changed, 'field', 'fields')} changed`}
      </output>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Action for={endpoint} lock={lock} type="submit" loading={record.isSaving}>
        {save}
      </Action>
    </div>
  )
}
