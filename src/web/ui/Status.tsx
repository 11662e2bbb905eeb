import type { ReactNode } from 'react'

type Mark = 'check' | 'alert' | 'dash'
type Props = { tone: 'good' | 'warn' | 'mute'; mark: Mark; children: ReactNode }

/** Mark and word; the mark differs in shape, so that it reads without colour. */
export function Status({ tone, mark, children }: Props) {
  return (
    <span className={`fc-status fc-status-${tone}`}>
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        {mark === 'alert' ? (
          <path d="M7 1 13.4 12.6H.6z" fill="currentColor" strokeLinejoin="round" />
        ) : (
          <circle cx="7" cy="7" r="6" fill="currentColor" />
        )}
        <path
          d={CUTS[mark]}
          fill="none"
          stroke="var(--fc-page)"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {children}
    </span>
  )
}

const CUTS: Record<Mark, string> = {
  check: 'm4.3 7.2 2 1.9 3.4-4',
  alert: 'M7 5.2v3.2M7 10.6v.1',
  dash: 'M4.6 7h4.8',
}
