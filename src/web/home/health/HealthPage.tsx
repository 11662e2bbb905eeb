import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { health, type HealthCheck } from '#contract/home/health.ts'
import { outgoing } from '#contract/home/outgoing.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { useHolds } from '#web/session/use-session.ts'
import { OutgoingWork } from './OutgoingWork.tsx'
import styles from './HealthPage.module.css'
import { Status } from '#web/ui/controls/Status.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'

/** Refreshes automatically for people who keep it open while fixing a problem. */
const REFRESH_MS = 30_000

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** The health of the installation, and the user's queued and failed jobs and emails. */
export function HealthPage() {
  const holds = useHolds()
  const { data, error, isPending, isFetching, refetch } = useQuery(
    live(query(health.system, {}), { ms: REFRESH_MS }),
  )
  const unhealthy = data?.checks.filter(({ state }) => state !== 'ok' && state !== 'off').length ?? 0
  return (
    <div className="fc-list">
      <PageHeader title="Health" context={data ? summarize(unhealthy) : 'Database, email, files and jobs'}>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} stroke={1.6} aria-hidden="true" />}
          loading={isFetching && !isPending}
          onClick={() => void refetch()}
        >
          Check again
        </Button>
      </PageHeader>
      <Loaded
        query={{ endpoint: health.system, data, error, retry: () => void refetch() }}
        what="system health"
        shape="spinner"
        label="Loading health"
      >
        {(system) => (
          <div className={styles.health}>
            {error && (
              <output className={styles.old}>
                The last check failed. Showing results from {time.format(new Date(system.checkedAt))}.
              </output>
            )}
            <HealthChecks checks={system.checks} />
            {holds(outgoing.get.allow) === true && isWaiting(system.checks) && <OutgoingWork />}
            <section aria-labelledby="health-work">
              <h2 id="health-work">Your jobs and emails</h2>
              <dl className={styles.work}>
                <Figure title="Jobs queued" value={system.jobs.waiting} />
                <Figure title="Jobs running" value={system.jobs.running} />
                <Figure title="Jobs failed (7 days)" value={system.jobs.failed} />
                <Figure title="Emails queued" value={system.mails.waiting} />
                <Figure title="Emails failed" value={system.mails.failed} />
              </dl>
            </section>
            <p className="fc-second">Checked at {time.format(new Date(system.checkedAt))}.</p>
          </div>
        )}
      </Loaded>
    </div>
  )
}

const isWaiting = (checks: readonly HealthCheck[]): boolean =>
  checks.some(({ name, state }) => name === 'outgoing' && state === 'waits')

function Figure({ title, value }: { title: string; value: number }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value.toLocaleString()}</dd>
    </div>
  )
}

const summarize = (unhealthy: number): string =>
  unhealthy === 0 ? 'All systems OK.' : `${count(unhealthy, 'component needs', 'components need')} attention.`

const TITLES = {
  database: 'Database',
  mail: 'Email',
  links: 'Links in emails',
  storage: 'Files',
  jobs: 'Jobs',
  server: 'Server',
  outgoing: 'Outgoing work',
} as const

const STATES = {
  ok: { tone: 'good', mark: 'check', label: 'OK' },
  off: { tone: 'mute', mark: 'dash', label: 'Not set up' },
  late: { tone: 'warn', mark: 'alert', label: 'Delayed' },
  scarce: { tone: 'warn', mark: 'alert', label: 'Almost full' },
  waits: { tone: 'warn', mark: 'pause', label: 'Waiting' },
  failed: { tone: 'bad', mark: 'cross', label: 'Failing' },
} as const

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** The status of each component, since when, and an explanation. */
function HealthChecks({ checks }: { checks: readonly HealthCheck[] }) {
  return (
    <ul className={styles.checks} aria-label="System components">
      {checks.map(({ name, state, since, sentence }) => (
        <li key={name}>
          <span className={styles.name}>{TITLES[name]}</span>
          <Status tone={STATES[state].tone} mark={STATES[state].mark}>
            {STATES[state].label}
          </Status>
          <span className={styles.words}>
            {sentence}
            {since !== null && <span className="fc-second">Since {moment.format(new Date(since))}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
