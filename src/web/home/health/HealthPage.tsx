import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { health } from '#contract/home/health.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { HealthChecks } from './HealthChecks.tsx'
import './health.css'

/** The page asks by itself: somebody leaves it open while they mend something. */
const ASK_EVERY_MS = 30_000

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** How the parts of the installation are, and what waits or failed within reach. */
export function HealthPage() {
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...query(health.system, {}),
    refetchInterval: ASK_EVERY_MS,
  })
  const notWell = data?.checks.filter(({ state }) => state !== 'ok' && state !== 'off').length ?? 0
  return (
    <div className="fc-list">
      <PageHeader
        title="Health"
        context={data ? sumUp(notWell) : 'Database, mail, files and jobs of this installation.'}
      >
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} stroke={1.6} aria-hidden="true" />}
          loading={isFetching && !isPending}
          onClick={() => void refetch()}
        >
          Check again
        </Button>
      </PageHeader>
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={health.system}
          what="the health of the installation"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <Spinner label="Loading health" />}
      {data && (
        <div className="fc-health">
          {error && (
            <output className="fc-health-old">
              The last check failed. This is what was seen at {time.format(new Date(data.checkedAt))}.
            </output>
          )}
          <HealthChecks checks={data.checks} />
          <section aria-labelledby="health-work">
            <h2 id="health-work">Within your reach</h2>
            <dl className="fc-health-work">
              <Figure title="Jobs in line" value={data.jobs.waiting} />
              <Figure title="Jobs at work" value={data.jobs.running} />
              <Figure title="Jobs failed in 7 days" value={data.jobs.failed} />
              <Figure title="Mails waiting" value={data.mails.waiting} />
              <Figure title="Mails failed" value={data.mails.failed} />
            </dl>
          </section>
          <p className="fc-second">Checked at {time.format(new Date(data.checkedAt))}.</p>
        </div>
      )}
    </div>
  )
}

function Figure({ title, value }: { title: string; value: number }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value.toLocaleString()}</dd>
    </div>
  )
}

const sumUp = (notWell: number): string =>
  notWell === 0 ? 'Everything works.' : `${count(notWell, 'part needs', 'parts need')} a look.`
