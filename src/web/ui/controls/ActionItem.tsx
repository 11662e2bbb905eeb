import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useViewOnlyLock } from '#web/session/use-impersonation.ts'
import { describeRequirement, permissionsFor } from './permission-of.ts'

type Props = {
  /** The endpoint the entry calls. It determines the permission. */
  for: Endpoint
  /** Why this action isn't available for this record, as a sentence. */
  lock?: string | null
  isDestructive?: boolean
  className?: string
  leftSection?: ReactNode
  onClick: () => void
  children: ReactNode
}

/**
 * A menu entry that checks the user's permission, like `Action`: without it, the entry stays visible and explains
 * why.
 */
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
  const lookLock = useViewOnlyLock(endpoint)
  const lock = lookLock ?? ownLock
  const wanted = permissionsFor(endpoint.allow)
  const isMissing = wanted.length > 0 && wanted.every((permission) => holds(permission) === false)
  const reason = isMissing ? `This requires ${describeRequirement(endpoint.allow)}.` : lock
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
