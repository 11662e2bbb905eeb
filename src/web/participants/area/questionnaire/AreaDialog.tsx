import { Button, Modal } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import type { CallFormState } from '#web/ui/call-form/use-call-form.ts'
import { Locked } from '#web/ui/form/Locked.tsx'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { sentenceOf, useArea } from '../area.ts'

type Props = {
  title: ReactNode
  call: Pick<CallFormState<never>, 'refusal' | 'isBusy' | 'kept' | 'submit'>
  /** What the button does; null: there is none. */
  confirm: string | null
  onClose: () => void
  /** More buttons, at the start. */
  buttons?: ReactNode
  children: ReactNode
}

/** A dialog with a call of its own. What was typed is in it again if it was closed before it was sent. */
export function AreaDialog({ title, call, confirm, onClose, buttons, children }: Props) {
  const { text } = useArea()
  const { refusal, isBusy, kept, submit } = call
  const isPutBack = useRef(false)
  useEffect(() => {
    if (kept.offer === null || isPutBack.current) return
    isPutBack.current = true
    kept.decide('use')
  }, [kept])
  return (
    <Modal
      opened
      onClose={isBusy ? () => {} : onClose}
      title={title}
      closeButtonProps={{ 'aria-label': text('close') }}
      transitionProps={MODAL_TRANSITION}
    >
      <form
        className="fc-area-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Locked isBusy={isBusy}>
          {children}
          {refusal !== null && (
            <p role="alert" className="fc-area-problem">
              {sentenceOf(refusal, text)}
            </p>
          )}
          <div className="fc-area-buttons">
            {buttons}
            <Button variant="default" onClick={onClose}>
              {text('cancel')}
            </Button>
            {confirm !== null && (
              <Button type="submit" loading={isBusy}>
                {confirm}
              </Button>
            )}
          </div>
        </Locked>
      </form>
    </Modal>
  )
}
