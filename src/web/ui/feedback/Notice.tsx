import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './notice.css'

/** Why a page can be read and not changed, in a line over what it concerns. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p className="fc-notice">
      <IconLock size={16} aria-hidden="true" />
      <bdi>{children}</bdi>
    </p>
  )
}
