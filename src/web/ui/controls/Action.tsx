import { Button, type ButtonProps } from '@mantine/core'
import type { Endpoint } from '#contract/endpoint.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useLookLock } from '#web/session/use-skin.ts'
import { describeQuery, requestedBy } from './permission-of.ts'
import { Tip } from './Tip.tsx'

type Props = ButtonProps & {
  /** What the button calls: its permission is the button's. */
  for: Endpoint
  /** Why it cannot be done with this record, as a sentence; null where it can. */
  lock?: string | null
  onClick?: () => void
  type?: 'button' | 'submit'
  'aria-label'?: string
}

/**
 * A button that knows what it may. Without the permission it stays in its place and in the tab order, and says
 * why it does nothing.
 */
export function Action({ for: endpoint, lock: ownLock = null, onClick, type = 'button', ...button }: Props) {
  const holds = useHolds()
  const lookLock = useLookLock(endpoint)
  const lock = lookLock ?? ownLock
  const wanted = requestedBy(endpoint.allow)
  const isHeld = wanted.length === 0 || wanted.some((permission) => holds(permission) === true)
  if (isHeld && lock === null) {
    return <Button {...button} type={type} {...(onClick && { onClick })} />
  }
  // While the permissions are on their way nothing is known, so nothing is claimed.
  const isMissing = !isHeld && wanted.some((permission) => holds(permission) === false)
  const reason = isMissing ? `You may not do this: it needs ${describeQuery(endpoint.allow)}.` : (lock ?? '')
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
