import { type ReactNode, use, useEffect, useLayoutEffect, useRef } from 'react'
import { toast } from '../feedback/toast.tsx'
import { DialogHold } from '../overlay/dialogs.tsx'
import { collectedText, collectKeys, enterKeys } from '../overlay/typed-keys.ts'

const isText = (field: HTMLElement | null): field is HTMLInputElement | HTMLTextAreaElement =>
  field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.selectionStart !== null)

/** A form that closes after its call, closes at once. */
const CLOSES_WITHIN_MS = 1_000
const MOST_SHOWN = 200

const isSecret = (field: HTMLInputElement | HTMLTextAreaElement): boolean =>
  field.type === 'password' || field.autocomplete === 'one-time-code'

function sayLost(text: string): void {
  const shown = text.trim().slice(0, MOST_SHOWN)
  if (shown !== '')
    toast('Not everything is saved', `You typed this after saving: “${shown}”`, { isWarning: true })
}

type Props = { isBusy: boolean; children: ReactNode }

/**
 * The inputs of a form that closes when its call succeeds. While it runs they can't be changed, because what is typed then would
 * be lost, and the dialog stays open. If the call fails, the focus returns, with what was typed on meanwhile; if it succeeds, a notice has that.
 */
export function Locked({ isBusy, children }: Props) {
  const hold = use(DialogHold)
  const fields = useRef<HTMLFieldSetElement>(null)
  const focused = useRef<HTMLElement | null>(null)
  const giveUp = useRef<(() => void) | null>(null)
  const before = useRef({ value: '', at: 0 })
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) focused.current = target
    }
    const element = fields.current
    element?.addEventListener('focusin', remember)
    return () => element?.removeEventListener('focusin', remember)
  }, [])
  useLayoutEffect(() => {
    hold?.(isBusy)
    const field = focused.current
    if (!isBusy) {
      // The browser takes the focus from what is disabled.
      if (document.activeElement === document.body) field?.focus()
      if (isText(field) && document.activeElement === field) {
        before.current.at = performance.now()
        enterKeys(field)
      }
      return
    }
    if (!isText(field)) return
    before.current = { value: field.value, at: 0 }
    giveUp.current = collectKeys()
  }, [isBusy, hold])
  useEffect(
    () => () => {
      const field = focused.current
      const rest = giveUp.current === null ? '' : collectedText()
      giveUp.current?.()
      if (!isText(field) || isSecret(field)) return
      const { value, at } = before.current
      const isClosing = performance.now() - at < CLOSES_WITHIN_MS && field.value.startsWith(value)
      sayLost(`${isClosing ? field.value.slice(value.length) : ''}${rest}`)
    },
    [],
  )
  return (
    <fieldset ref={fields} disabled={isBusy} aria-busy={isBusy} style={{ display: 'contents' }}>
      {children}
    </fieldset>
  )
}
