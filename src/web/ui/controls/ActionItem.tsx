import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useLookLock } from '#web/session/use-skin.ts'
import { describeQuery, requestedBy } from './permission-of.ts'

type Props = {
  /** What the entry calls: its permission is the entry's. */
  for: Endpoint
  /** Why it cannot be done with this record, as a sentence. */
  lock?: string | null
  isDestructive?: boolean
  className?: string
  leftSection?: ReactNode
  onClick: () => void
  children: ReactNode
}

/** An entry of a menu that knows what it may, as `Action` does: without the permission it stays and says why. */
export function ActionItem(props: Props) {
  const {
    for: endpoint,
    lock: ownLock = null,
    isDestructive = false,
    className = '',
    leftSection,
    onClick,
    children,
  } = props
  const holds = useHolds()
  const lookLock = useLookLock(endpoint)
  const lock = lookLock ?? ownLock
  const wanted = requestedBy(endpoint.allow)
  const isMissing = wanted.length > 0 && wanted.every((permission) => holds(permission) === false)
  const reason = isMissing ? `It needs ${describeQuery(endpoint.allow)}.` : lock
  const isBlocked = reason !== null
  return (
    <Menu.Item
      className={`${className}${isDestructive && !isBlocked ? ' fc-quiet-danger' : ''}`}
      leftSection={leftSection}
      closeMenuOnClick={!isBlocked}
      {...(isBlocked && { 'aria-disabled': true })}
      onClick={() => !isBlocked && onClick()}
    >
      <span className={isBlocked ? 'fc-faint' : ''}>{children}</span>
      {isBlocked && (
        <span className="fc-second">
          <bdi>{reason}</bdi>
        </span>
      )}
    </Menu.Item>
  )
}
