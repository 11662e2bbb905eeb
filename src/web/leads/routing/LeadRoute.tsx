import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { describeRoute } from '#contract/leads/routing/describe-route.ts'
import { type LeadRoute as Route, leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import './lead-routing.css'

const testLead = send(leadRoutingRules.test)

type Step = Route['steps'][number]
const OUTCOMES = {
  sent: { tone: 'good', mark: 'check', label: 'Sent' },
  duplicate: { tone: 'info', mark: 'dash', label: 'Not sent again' },
  unavailable: { tone: 'warn', mark: 'alert', label: 'No destination available' },
  'no match': { tone: 'mute', mark: 'dash', label: 'No match' },
  store: { tone: 'info', mark: 'half', label: 'Store chosen' },
  paused: { tone: 'mute', mark: 'pause', label: 'Paused' },
  'not reached': { tone: 'mute', mark: 'dash', label: 'Not reached' },
} as const satisfies Record<Step['outcome'], { tone: string; mark: string; label: string }>

/**
 * Why a lead went where it went, rule by rule, and where it would go now. Shows its own loading and error states; the caller
 * gives the heading.
 */
export function LeadRoute({ leadId }: { leadId: string }) {
  const holds = useHolds()
  const { data, error, isPending, refetch } = useQuery(query(leadRoutingRules.explain, { id: leadId }))
  const test = useMutation({ mutationFn: () => testLead({ id: leadId }) })
  const mayTest = permissionsFor(leadRoutingRules.test.allow).some((one) => holds(one) === true)
  if (isPending) return <p className="fc-small fc-soft">Loading the route</p>
  if (error && error.status !== 404) {
    return (
      <FailureState
        failure={error}
        endpoint={leadRoutingRules.explain}
        what="the route"
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <div className="fc-lead-route">
      {data ? (
        <Steps route={data} canOpen={mayTest} />
      ) : (
        <p className="fc-small fc-soft">No rule has routed this lead.</p>
      )}
      {mayTest && (
        <Button
          variant="subtle"
          size="compact-sm"
          className="fc-lead-route-test"
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Where would it go now?
        </Button>
      )}
      <div aria-live="polite">
        {test.error && <p className="fc-small fc-lead-route-error">{test.error.message}</p>}
        {test.data && (
          <>
            <p className="fc-small">
              <bdi>
                Now it would go to{' '}
                <b>{test.data.destinations.map(({ name }) => name).join(', ') || 'the inbox, unassigned'}</b>.
                Nothing was sent.
              </bdi>
            </p>
            <Steps route={test.data} canOpen={mayTest} />
          </>
        )}
      </div>
    </div>
  )
}

/** The route in one sentence, and what happened at each rule. */
function Steps({ route: { steps }, canOpen }: { route: Route; canOpen: boolean }) {
  return (
    <>
      <p className="fc-small">
        <bdi>{describeRoute(steps)}</bdi>
      </p>
      <ol className="fc-route-steps" aria-label="Rules">
        {steps.map((step) => (
          <li key={step.ruleId}>
            <span className="fc-grow">
              {canOpen ? (
                <Link to="/customers/lead-routing" search={{ rule: step.ruleId }} className="fc-link">
                  <bdi>{step.name}</bdi>
                </Link>
              ) : (
                <bdi>{step.name}</bdi>
              )}
              <span className="fc-second">
                <bdi>{step.why}</bdi>
              </span>
            </span>
            <Outcome outcome={step.outcome} />
          </li>
        ))}
      </ol>
    </>
  )
}

function Outcome({ outcome }: Pick<Step, 'outcome'>) {
  const { tone, mark, label } = OUTCOMES[outcome]
  return (
    <span className="fc-small">
      <Status tone={tone} mark={mark}>
        {label}
      </Status>
    </span>
  )
}
