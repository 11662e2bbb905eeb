import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import type { RecordFormState } from '../record/use-record-form.ts'

type Props<Values, Saved> = {
  record: RecordFormState<Values, Saved>
  /** What saving calls: its permission is the button's. */
  for: Endpoint
  /** "Save lot", "Add lot". */
  save: string
  /** Why this record may not be saved, as a sentence; null where it may. */
  lock?: string | null
  onCancel: () => void
  /** What destroys, at the start. */
  children?: ReactNode
}

/** The foot of a drawer's form: what destroys, how much is changed, the way out, the way on. */
export function FormFooter<Values, Saved>(props: Props<Values, Saved>) {
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
