import { type ReactNode, use, useEffect, useLayoutEffect, useRef } from 'react'
import { DialogHold } from '../overlay/dialogs.tsx'

type Props = { isBusy: boolean; children: ReactNode }

/**
 * The inputs of a form that closes when its call succeeds. While it runs they can't be changed, because what is typed then would
 * be lost, and the dialog stays open. If the call fails, the focus returns.
 */
export function Locked({ isBusy, children }: Props) {
  const hold = use(DialogHold)
  const fields = useRef<HTMLFieldSetElement>(null)
  const focused = useRef<HTMLElement | null>(null)
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
    // The browser takes the focus from what is disabled.
    if (!isBusy && document.activeElement === document.body) focused.current?.focus()
  }, [isBusy, hold])
  return (
    <fieldset ref={fields} disabled={isBusy} aria-busy={isBusy} style={{ display: 'contents' }}>
      {children}
    </fieldset>
  )
}
