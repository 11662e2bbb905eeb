import { type ReactNode, useEffect, useRef } from 'react'
import { handFocusOn } from '../overlay/hand-focus-on.ts'
import './job-progress.css'

type Props = {
  /** The progress; null once there is none. */
  bar: ReactNode
  actions: ReactNode
  /** Appears only when it takes long enough to be read. */
  isPatient?: boolean
  children: ReactNode
}

/** A bar over the foot of the page that tells of one thing and offers what can be done about it. */
export function NoticeBar({ bar, actions, isPatient = false, children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => handFocusOn(frame.current), [])
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
