import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './notice.css'

/** Explains why a page is read-only, in one line above the content. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p className="fc-notice">
      <IconLock size={16} aria-hidden="true" />
      <bdi>{children}</bdi>
    </p>
  )
}
