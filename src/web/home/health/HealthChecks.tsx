import type { HealthCheck } from '#contract/home/health.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const TITLES = { database: 'Database', mail: 'Mail', storage: 'Files', jobs: 'Jobs' } as const

const STATES = {
  ok: { tone: 'good', mark: 'check', word: 'Works' },
  off: { tone: 'mute', mark: 'dash', word: 'Not set up' },
  late: { tone: 'warn', mark: 'alert', word: 'Late' },
  scarce: { tone: 'warn', mark: 'alert', word: 'Almost full' },
  failed: { tone: 'bad', mark: 'cross', word: 'Fails' },
} as const

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Each part of the installation: how it is, since when, and what that means. */
export function HealthChecks({ checks }: { checks: readonly HealthCheck[] }) {
  return (
    <ul className="fc-health-checks" aria-label="Parts of the installation">
      {checks.map(({ name, state, since, sentence }) => (
        <li key={name}>
          <span className="fc-health-name">{TITLES[name]}</span>
          <Status tone={STATES[state].tone} mark={STATES[state].mark}>
            {STATES[state].word}
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
