import type { ReactNode } from 'react'
import '../controls/status.css'

type Props = {
  icon: ReactNode
  tone?: 'brand' | 'mute' | 'warn' | 'bad'
  title: string
  text: ReactNode
  /** One action, and optionally one short fact. */
  children?: ReactNode
  /** Announces a failure to screen readers, because the user expected something else. */
  isAlert?: boolean
}

/** Shown in place of rows: what happened, why, and the one thing to do about it. */
export function EmptyState({ icon, tone = 'mute', title, text, children, isAlert = false }: Props) {
  return (
    <div className="fc-empty" {...(isAlert && { role: 'alert' })}>
      <span className={`fc-empty-icon fc-tint-${tone}`}>{icon}</span>
      <h2>
        <bdi>{title}</bdi>
      </h2>
      <p>
        <bdi>{text}</bdi>
      </p>
      <div className="fc-row">{children}</div>
    </div>
  )
}
