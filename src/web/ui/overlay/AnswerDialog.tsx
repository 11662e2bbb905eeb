import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useLayoutEffect, useState } from 'react'
import { MODAL_TRANSITION } from './dialogs.tsx'
import { FIRST_FOCUS, isTyping, readPlace, whenTypingPauses, yieldToTyping } from './typing.ts'

type Props = Pick<ModalProps, 'title' | 'zIndex' | 'size' | 'children'> & {
  /** Without it, the dialog can't be closed without a decision. */
  onClose?: () => void
  /** Keys of someone who types put it off. By default it opens again when they pause. */
  onPutOff?: () => void
  /** The dialog itself says which of its fields has the focus first. */
  hasField?: boolean
}

/**
 * A dialog that an answer of the server opens. It waits until typing pauses, and its first keys press no button: users who
 * go on typing do so in their field. When it closes, the focus is where it was.
 */
export function AnswerDialog({ onClose, onPutOff, hasField = false, children, ...modal }: Props) {
  const [isShown, setShown] = useState(() => !isTyping())
  useEffect(() => (isShown ? undefined : whenTypingPauses(() => setShown(true))), [isShown])
  // Before the dialog takes the focus, and before it is removed.
  useLayoutEffect(() => {
    if (!isShown) return undefined
    const place = readPlace()
    const stop = yieldToTyping(place, () => (onPutOff ? onPutOff() : setShown(false)))
    return () => {
      stop()
      place.restore()
    }
    // As it is when it opens.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isShown])
  if (!isShown) return null
  return (
    <Modal
      opened
      {...modal}
      onClose={onClose ?? (() => {})}
      {...(!onClose && { withCloseButton: false, closeOnEscape: false, closeOnClickOutside: false })}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={MODAL_TRANSITION}
    >
      <div {...(!hasField && FIRST_FOCUS)}>{children}</div>
    </Modal>
  )
}
