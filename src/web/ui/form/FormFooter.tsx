import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { type Conflict, ConflictNotice } from './ConflictNotice.tsx'
import { raiseToasts } from '#web/ui/feedback/toast.tsx'
import { NotSaved } from './NotSaved.tsx'
import { count } from '#web/ui/layout/date-format.ts'

type Props = {
  record: Readonly<{
    changed: readonly string[]
    isSaving: boolean
    conflict?: Conflict | null
    showWrong?: (() => void) | null
  }>
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

/** The footer of a form in a drawer or a panel: destructive action, number of changes, Cancel and Save. */
export function FormFooter(props: Props) {
  const { record, for: endpoint, save, lock = null, onCancel, children } = props
  const changed = record.changed.length
  const footer = useRef<HTMLDivElement>(null)
  // A toast never covers the buttons at the end of the window.
  useEffect(() => {
    const { top = 0, bottom = 0 } = footer.current?.getBoundingClientRect() ?? {}
    return bottom > innerHeight - 40 ? raiseToasts(innerHeight - top) : undefined
  }, [])
  return (
    <div ref={footer} className="fc-form-footer">
      {children}
      {record.conflict ? (
        <ConflictNotice conflict={record.conflict} />
      ) : (
        <>
          <span className="fc-grow" />
          {record.showWrong ? (
            <NotSaved onShow={record.showWrong} />
          ) : (
            <output className="fc-small fc-soft">
              {changed > 0 && `${count(changed, 'field', 'fields')} changed`}
            </output>
          )}
        </>
      )}
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Action for={endpoint} lock={lock} type="submit" loading={record.isSaving}>
        {save}
      </Action>
    </div>
  )
}
