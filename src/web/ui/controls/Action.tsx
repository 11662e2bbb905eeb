import { Button, type ButtonProps } from '@mantine/core'
import type { Endpoint } from '#contract/endpoint.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useViewOnlyLock } from '#web/session/use-impersonation.ts'
import { describeRequirement, permissionsFor } from './permission-of.ts'
import { keepTyping } from './keep-typing.ts'
import { Tip } from './Tip.tsx'

type Props = ButtonProps & {
  /** The endpoint the button calls. It determines the permission. */
  for: Endpoint
  /** Why this action isn't available for this record, as a sentence; null when it is available. */
  lock?: string | null
  onClick?: () => void
  /** It saves what is typed while the form stays. A button that sends its form does so anyway. */
  saves?: boolean
  type?: 'button' | 'submit'
  'aria-label'?: string
}

/**
 * A button that checks the user's permission. Without it, the button stays visible and in the tab order, and
 * explains why it is disabled.
 */
export function Action(props: Props) {
  const { for: endpoint, lock: ownLock = null, onClick, type = 'button', ...given } = props
  const { saves = type === 'submit', ...button } = given
  const holds = useHolds()
  const lookLock = useViewOnlyLock(endpoint)
  const lock = lookLock ?? ownLock
  const wanted = permissionsFor(endpoint.allow)
  const isHeld = wanted.length === 0 || wanted.some((permission) => holds(permission) === true)
  if (isHeld && lock === null) {
    return (
      <Button
        {...button}
        type={type}
        {...(onClick && { onClick })}
        {...(saves && { onMouseDown: keepTyping })}
      />
    )
  }
  // Until the permissions have loaded, treat nothing as missing.
  const isMissing = !isHeld && wanted.some((permission) => holds(permission) === false)
  const reason = isMissing
    ? `You don't have permission to do this. It requires ${describeRequirement(endpoint.allow)}.`
    : (lock ?? '')
  const isKnown = reason !== ''
  return (
    <Tip label={reason}>
      <Button
        {...button}
        type="button"
        data-disabled
        aria-disabled
        {...(isKnown && { 'aria-description': reason })}
      />
    </Tip>
  )
}
