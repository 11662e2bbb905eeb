import { type ReactNode, useEffect, useRef } from 'react'
import { focusHeadingOnUnmount } from '../overlay/focus-heading-on-unmount.ts'
import './job-progress.css'

type Props = {
  /** The progress bar; null if there is none. */
  bar: ReactNode
  actions: ReactNode
  /** Delays the notice, so that it doesn't flash for quick tasks. */
  isPatient?: boolean
  children: ReactNode
}

/** A notice above the page footer with a progress bar and actions. */
export function NoticeBar({ bar, actions, isPatient = false, children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => focusHeadingOnUnmount(frame.current), [])
  return (
    <div ref={frame} className="fc-work" {...(isPatient && { 'data-patient': true })}>
      <div className="fc-work-line">
        <div className="fc-work-text">{children}</div>
        {actions}
      </div>
      {bar}
    </div>
  )
}
