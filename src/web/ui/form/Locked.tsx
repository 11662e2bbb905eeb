import { type ReactNode, use, useEffect, useLayoutEffect, useRef } from 'react'
import { DialogHold } from '../overlay/dialogs.tsx'
import { collectKeys, enterKeys } from '../overlay/typed-keys.ts'

const isText = (field: HTMLElement | null): field is HTMLInputElement | HTMLTextAreaElement =>
  field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.selectionStart !== null)

type Props = { isBusy: boolean; children: ReactNode }

/**
 * The inputs of a form that closes when its call succeeds. While it runs they can't be changed, because what is typed then would
 * be lost, and the dialog stays open. If the call fails, the focus returns, with what was typed on meanwhile.
 */
export function Locked({ isBusy, children }: Props) {
  const hold = use(DialogHold)
  const fields = useRef<HTMLFieldSetElement>(null)
  const focused = useRef<HTMLElement | null>(null)
  const giveUp = useRef<(() => void) | null>(null)
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
      if (isText(field) && document.activeElement === field) enterKeys(field)
      return
    }
    if (isText(field)) giveUp.current = collectKeys()
  }, [isBusy, hold])
  useEffect(() => () => giveUp.current?.(), [])
  return (
    <fieldset ref={fields} disabled={isBusy} aria-busy={isBusy} style={{ display: 'contents' }}>
      {children}
    </fieldset>
  )
}
