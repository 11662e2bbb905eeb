import type { HealthCheck } from '#contract/home/health.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const TITLES = { database: 'Database', mail: 'Email', storage: 'Files', jobs: 'Jobs' } as const

const STATES = {
  ok: { tone: 'good', mark: 'check', label: 'OK' },
  off: { tone: 'mute', mark: 'dash', label: 'Not set up' },
  late: { tone: 'warn', mark: 'alert', label: 'Delayed' },
  scarce: { tone: 'warn', mark: 'alert', label: 'Almost full' },
  failed: { tone: 'bad', mark: 'cross', label: 'Failing' },
} as const

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** The status of each component, since when, and an explanation. */
export function HealthChecks({ checks }: { checks: readonly HealthCheck[] }) {
  return (
    <ul className="fc-health-checks" aria-label="System components">
      {checks.map(({ name, state, since, sentence }) => (
        <li key={name}>
          <span className="fc-health-name">{TITLES[name]}</span>
          <Status tone={STATES[state].tone} mark={STATES[state].mark}>
            {STATES[state].label}
          </Status>
          <span className="fc-health-words">
            {sentence}
            {since !== null && <span className="fc-second">Since {moment.format(new Date(since))}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
