import { Button } from '@mantine/core'
import type { ComponentProps } from 'react'
import { Action } from '#web/ui/controls/Action.tsx'
import { ConflictNotice } from '#web/ui/form/ConflictNotice.tsx'
import { RecordEditor } from './RecordEditor.tsx'
import type { Versioned } from './use-record-form.ts'

type EditorProps<Values extends Record<string, unknown>, Saved extends Versioned, Sent> = ComponentProps<
  typeof RecordEditor<Values, Saved, Sent>
>

type Props<Values extends Record<string, unknown>, Saved extends Versioned, Sent> = Omit<
  EditorProps<Values, Saved, Sent>,
  'onSaved' | 'closes' | 'className' | 'isClosing'
> & {
  /** "Save source". */
  button: string
  /** Null if it is closed without a change. */
  onAnswer: (saved: Saved | null) => void
}

/** The form of a record in a dialog, for `askFor`. */
export function RecordDialog<Values extends Record<string, unknown>, Saved extends Versioned, Sent>(
  props: Props<Values, Saved, Sent>,
) {
  const { button, saved, onAnswer, children } = props
  return (
    <RecordEditor {...props} className="fc-dialog-form" isClosing={saved === null} closes={onAnswer}>
      {(edited) => (
        <>
          {children(edited)}
          <div className="fc-buttons">
            {edited.record.conflict && <ConflictNotice conflict={edited.record.conflict} />}
            <Button variant="default" onClick={() => onAnswer(null)}>
              Cancel
            </Button>
            <Action for={edited.endpoint} type="submit" loading={edited.record.isSaving}>
              {button}
            </Action>
          </div>
        </>
      )}
    </RecordEditor>
  )
}
