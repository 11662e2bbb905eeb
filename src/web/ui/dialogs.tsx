import { modals } from '@mantine/modals'
import type { CallFailure } from '#web/api/failure.ts'

/** Specification section 9: modals show within 100 ms and hide within 300 ms. */
const transitionProps = { duration: 100, exitDuration: 300 }

/** The error dialog: stays until it is read. */
export function showError(failure: CallFailure, title = 'Error'): void {
  modals.open({
    title,
    transitionProps,
    closeButtonProps: { 'aria-label': 'Close' },
    children: (
      <>
        <p>{failure.message}</p>
        {failure.requestId !== null && (
          <p className="fc-small fc-faint">
            Request <bdi>{failure.requestId}</bdi>
          </p>
        )}
      </>
    ),
  })
}

type Question = { title: string; text: string; confirm: string; cancel?: string; isDestructive?: boolean }

/** Asks and waits for the answer; closing the dialog is a no. */
export function ask({
  title,
  text,
  confirm,
  cancel = 'Cancel',
  isDestructive = false,
}: Question): Promise<boolean> {
  const opener = document.activeElement
  return new Promise((answered) => {
    const answer = (isYes: boolean) => {
      answered(isYes)
      setTimeout(() => keepFocus(opener), transitionProps.exitDuration)
    }
    modals.openConfirmModal({
      title,
      transitionProps,
      closeButtonProps: { 'aria-label': 'Close' },
      children: <p>{text}</p>,
      labels: { confirm, cancel },
      confirmProps: isDestructive ? { className: 'fc-danger' } : {},
      onConfirm: () => answer(true),
      onCancel: () => answer(false),
      onClose: () => answer(false),
    })
  })
}

/** A question that is gone must not take the focus with it: back to what asked, or to the drawer that still stands. */
function keepFocus(opener: Element | null): void {
  if (document.activeElement !== document.body) return
  const drawer = document.querySelector<HTMLElement>('[role="dialog"]')
  const isUsable = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  if (isUsable) opener.focus()
  else drawer?.focus()
}
