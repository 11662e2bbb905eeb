import type { ReactNode } from 'react'
import './status.css'

type Mark = 'check' | 'alert' | 'dash' | 'cross' | 'pause' | 'wait' | 'quarter' | 'half'
type Props = {
  tone: 'good' | 'info' | 'warn' | 'bad' | 'mute'
  mark: Mark
  /** On a tinted background, for page and drawer headers. */
  isPill?: boolean
  children: ReactNode
}

/** A status icon and label. Icons differ in shape, so they can be told apart without color. */
export function Status({ tone, mark, isPill = false, children }: Props) {
  return (
    <span className={`fc-status fc-status-${tone}${isPill ? ` fc-pill fc-tint-${tone}` : ''}`}>
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        <Shape mark={mark} />
        {isCut(mark) && (
          <path
            d={CUTS[mark]}
            fill="none"
            stroke="var(--fc-page)"
            strokeWidth="1.6"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        )}
      </svg>
      {children}
    </span>
  )
}

function Shape({ mark }: { mark: Mark }) {
  if (mark === 'alert') return <path d="M7 1 13.4 12.6H.6z" fill="currentColor" strokeLinejoin="round" />
  if (isCut(mark)) return <circle cx="7" cy="7" r="6" fill="currentColor" />
  if (mark !== 'wait') {
    return (
      <>
        <circle cx="7" cy="7" r="5.2" fill="none" stroke="currentColor" strokeWidth="1.6" />
        <path d={PARTS[mark]} fill="currentColor" stroke="none" />
      </>
    )
  }
  return (
    <circle
      cx="7"
      cy="7"
      r="5.2"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeDasharray="2.6 1.5"
    />
  )
}

/** The filled part of a ring, clockwise from the top. */
const PARTS = {
  quarter: 'M7 7V3.4A3.6 3.6 0 0 1 10.6 7z',
  half: 'M7 3.4a3.6 3.6 0 0 1 0 7.2z',
}

function isCut(mark: Mark): mark is keyof typeof CUTS {
  return mark in CUTS
}

const CUTS = {
  check: 'm4.3 7.2 2 1.9 3.4-4',
  alert: 'M7 5.2v3.2M7 10.6v.1',
  dash: 'M4.6 7h4.8',
  cross: 'm4.9 4.9 4.2 4.2m0-4.2-4.2 4.2',
  pause: 'M5.5 4.8v4.4M8.5 4.8v4.4',
}
