import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import type { CallFailure } from '#web/api/failure.ts'

/** Specification section 9: modals show within 100 ms and hide within 300 ms. */
export const MODAL_TRANSITION = { duration: 100, exitDuration: 300 }
const FRAME = { transitionProps: MODAL_TRANSITION, closeButtonProps: { 'aria-label': 'Close' } }

/** Null once `ui/DialogStand.tsx` stands; before that, what is to be shown by then. */
let waiting: (() => void)[] | null = []

/** Shows what waited. Returns how to go back to waiting, for when the shell goes. */
export function stand(): () => void {
  const shown = waiting ?? []
  waiting = null
  for (const show of shown) show()
  return () => {
    waiting = []
  }
}

function whenStanding(show: () => void): void {
  if (waiting) waiting.push(show)
  else show()
}

/** The error dialog: stays until it is read. */
export function showError(failure: CallFailure, title = 'Error'): void {
  // The session is over: the page is being left, and the next one must not begin with this.
  if (failure.status === 401) return
  showNotice(
    title,
    <>
      <p>{failure.message}</p>
      {failure.requestId !== null && (
        <p className="fc-small fc-faint">
          Request <bdi>{failure.requestId}</bdi>
        </p>
      )}
    </>,
  )
}

/** A dialog that says one thing and stays until it is read. */
export function showNotice(title: string, children: ReactNode): void {
  whenStanding(() => void modals.open({ title, ...FRAME, children }))
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
      setTimeout(() => keepFocus(opener), MODAL_TRANSITION.exitDuration)
    }
    whenStanding(
      () =>
        void modals.openConfirmModal({
          title,
          ...FRAME,
          children: <p>{text}</p>,
          labels: { confirm, cancel },
          confirmProps: isDestructive ? { className: 'fc-danger' } : {},
          onConfirm: () => answer(true),
          onCancel: () => answer(false),
          onClose: () => answer(false),
        }),
    )
  })
}

/**
 * Shows a form of its own in a dialog and waits for what it answers; closing the dialog is a null. `form` gets the way to
 * answer: it closes the dialog.
 */
export function askFor<Answer>(
  title: string,
  form: (answer: (value: Answer | null) => void) => ReactNode,
): Promise<Answer | null> {
  const opener = document.activeElement
  return new Promise((answered) => {
    whenStanding(() => {
      const id = modals.open({
        title,
        ...FRAME,
        children: form((value) => {
          answered(value)
          modals.close(id)
        }),
        onClose: () => {
          answered(null)
          setTimeout(() => keepFocus(opener), MODAL_TRANSITION.exitDuration)
        },
      })
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
