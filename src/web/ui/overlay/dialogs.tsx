import { modals } from '@mantine/modals'
import { createContext, type ReactNode } from 'react'
import type { CallFailure } from '#web/api/failure.ts'
import { currentPress, FIRST_FOCUS, isInField, readPlace, whenTypingPauses, yieldToTyping } from './typing.ts'

/** Specification section 9: modals show within 100 ms and hide within 300 ms. */
export const MODAL_TRANSITION = { duration: 100, exitDuration: 300 }
const FRAME = { transitionProps: MODAL_TRANSITION, closeButtonProps: { 'aria-label': 'Close' } }

/** Null once `ModalHost` is mounted; before that, the dialogs waiting for it. */
let waiting: (() => void)[] | null = []

/** Shows the waiting dialogs. Returns a function that queues dialogs again, for when the shell unmounts. */
export function markHostMounted(): () => void {
  const shown = waiting ?? []
  waiting = null
  for (const show of shown) show()
  return () => {
    waiting = []
    open.clear()
  }
}

/** The questions and forms that are open, so that a second click doesn't ask again. */
const open = new Set<string>()

function whenHostMounted(show: () => void): void {
  if (waiting) waiting.push(show)
  else show()
}

/** `isOver`: it opens over a field of someone who may go on typing. `isPutOff`: it is closed for them, and opens again. */
type Opening = Readonly<{ isOver: boolean; isPutOff: () => boolean }>

/**
 * Opens a dialog: at once if the user's own press opens it, and otherwise when they pause typing. Users who go on typing do
 * so in their field. Returns a function that ends waiting.
 */
function present(show: (opening: Opening) => string): () => void {
  const press = currentPress()
  let isOff = false
  let [stopWaiting, stopYielding] = [() => {}, () => {}]
  const end = () => {
    stopWaiting()
    stopYielding()
  }
  function attempt() {
    whenHostMounted(() => {
      const place = readPlace()
      const isOver = press !== 'other' && isInField(place)
      isOff = false
      const id = show({ isOver, isPutOff: () => isOff })
      if (!isOver) return
      stopYielding = yieldToTyping(place, () => {
        isOff = true
        modals.close(id)
        stopWaiting = whenTypingPauses(attempt)
      })
    })
  }
  if (press === null) stopWaiting = whenTypingPauses(attempt)
  else attempt()
  return end
}

/** Why a call failed, for a form: with what identifies an unexpected failure in the log. Null once the session has ended. */
export function describeFailure({ message, status, requestId }: CallFailure): string | null {
  if (status === 401) return null
  return status >= 500 && requestId !== null ? `${message} Request ${requestId}.` : message
}

/** The error dialog. It stays until the user closes it. */
export function showError(failure: CallFailure, title = 'Error'): void {
  // The session has ended and the page is being left; don't open the next page with this error.
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

/** A dialog with one message. It stays until the user closes it. */
export function showNotice(title: string, children: ReactNode): void {
  const end = present(({ isOver, isPutOff }) =>
    modals.open({
      title,
      ...FRAME,
      children: <div {...(isOver && FIRST_FOCUS)}>{children}</div>,
      onClose: () => isPutOff() || end(),
    }),
  )
}

type Question = {
  title: string
  text: string
  /** What it is about, below the text. */
  more?: ReactNode
  confirm: string
  cancel?: string
  isDestructive?: boolean
  /** It closes by itself once there is nothing to ask about anymore. */
  isMoot?: () => boolean
}

const MOOT_MS = 200

/** Asks for confirmation. Closing the dialog resolves to false, and so does asking what is being asked already. */
export function ask({
  title,
  text,
  more,
  confirm,
  cancel = 'Cancel',
  isDestructive = false,
  isMoot = () => false,
}: Question): Promise<boolean> {
  const opener = focused()
  const question = JSON.stringify([title, text, confirm])
  if (open.has(question)) return Promise.resolve(false)
  open.add(question)
  return new Promise((answered) => {
    let looking: ReturnType<typeof setInterval> | undefined
    let end = () => {}
    const answer = (isYes: boolean) => {
      clearInterval(looking)
      end()
      open.delete(question)
      answered(isYes)
      setTimeout(() => restoreFocus(opener), MODAL_TRANSITION.exitDuration)
    }
    end = present(({ isOver, isPutOff }) => {
      const id = modals.openConfirmModal({
        title,
        ...FRAME,
        children: (
          <div {...(isOver && FIRST_FOCUS)}>
            <p>{text}</p>
            {more}
          </div>
        ),
        labels: { confirm, cancel },
        confirmProps: isDestructive ? { className: 'fc-danger' } : {},
        onConfirm: () => answer(true),
        onCancel: () => answer(false),
        onClose: () => isPutOff() || answer(false),
      })
      clearInterval(looking)
      looking = setInterval(() => isMoot() && modals.close(id), MOOT_MS)
      return id
    })
  })
}

/** Keeps the dialog around it open, while a call of its form runs. Null outside of `askFor`. */
export const DialogHold = createContext<((isHeld: boolean) => void) | null>(null)

/**
 * Shows a custom form in a dialog and resolves to its answer; closing the dialog resolves to null, and so does asking for
 * what is being asked already. `form` receives the function that answers and closes the dialog.
 */
export function askFor<Answer>(
  title: string,
  form: (answer: (value: Answer | null) => void) => ReactNode,
): Promise<Answer | null> {
  const opener = focused()
  if (open.has(title)) return Promise.resolve(null)
  open.add(title)
  return new Promise((answered) => {
    const end = present(({ isPutOff }) => {
      const hold = (isHeld: boolean) =>
        modals.updateModal({
          modalId: id,
          closeOnEscape: !isHeld,
          closeOnClickOutside: !isHeld,
          withCloseButton: !isHeld,
        })
      const id = modals.open({
        title,
        ...FRAME,
        children: (
          <DialogHold value={hold}>
            {form((value) => {
              answered(value)
              modals.close(id)
            })}
          </DialogHold>
        ),
        onClose: () => {
          if (isPutOff()) return
          end()
          open.delete(title)
          answered(null)
          setTimeout(() => restoreFocus(opener), MODAL_TRANSITION.exitDuration)
        },
      })
      return id
    })
  })
}

/** What has the focus, in which document. A dialog may close after its page is gone, so nothing global is read then. */
function focused(): Opener {
  const { activeElement, body } = document
  const isUsable = activeElement instanceof HTMLElement && activeElement !== body
  return { page: document, element: isUsable ? openerOf(activeElement) : null }
}
type Opener = Readonly<{ page: Document; element: HTMLElement | null }>

/** The button of the menu that an element is in, which goes away with the menu; otherwise the element. */
function openerOf(element: HTMLElement): HTMLElement {
  const button = element.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return (button == null ? null : document.getElementById(button)) ?? element
}

/** When a dialog closes, return the focus to its opener, or to the open drawer. */
function restoreFocus({ page, element }: Opener): void {
  if (page.activeElement !== page.body) return
  if (element?.isConnected) element.focus()
  else page.querySelector<HTMLElement>('[role="dialog"]')?.focus()
}
