import { Text } from '@mantine/core'
import { type RuleRequest, ruleRequests } from '#contract/pricing/rules/rule-requests.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { ReasonForm } from '#web/ui/call-form/ReasonForm.tsx'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'
import { ask, askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { Effect } from './RulePreviewCard.tsx'
import { SettingFigures } from './SettingEffect.tsx'

const approveRequest = send(ruleRequests.approve)
const rejectRequest = send(ruleRequests.reject)
const withdrawRequest = send(ruleRequests.withdraw)

const KINDS: Readonly<Record<RuleRequest['kind'], string>> = {
  add: 'New rule',
  update: 'Rule change',
  remove: 'Rule deletion',
  import: 'Import',
  importLowest: 'Import',
  details: 'Details',
  lot: 'Lot',
  organization: 'Organization',
}
/** They change what totals depend on besides rules. */
const SETTINGS: ReadonlySet<RuleRequest['kind']> = new Set(['details', 'lot', 'organization'])
const DECISIONS = { approved: 'Approved', rejected: 'Rejected', withdrawn: 'Withdrawn' } as const

/** Changes that wait for a second user because they move prices, and those that were decided in the last 30 days. */
export function RuleRequests() {
  return (
    <Loaded query={query(ruleRequests.list, {})} what="the approvals" shape="fields">
      {(approvals) => {
        if (approvals.length === 0) {
          return (
            <p className="fc-soft">
              No changes are waiting for approval. Price protection in the customer details sets how many
              prices one user can change alone.
            </p>
          )
        }
        return (
          <ul className="fc-rule-requests">
            {approvals.map((request) => (
              <li key={request.id} className="fc-rule-request">
                {request.state === 'open' ? (
                  <OpenRequest request={request} />
                ) : (
                  <DecidedRequest request={request} />
                )}
              </li>
            ))}
          </ul>
        )
      }}
    </Loaded>
  )
}

function OpenRequest({ request }: { request: RuleRequest }) {
  const { id, kind, title, requestedAt, requestedBy, note, differences, isOwn, outdated, version } = request
  const decision = useDecision()
  const approve = async () => {
    const isSure = await ask({
      title: `Approve ${title}?`,
      text: 'The change is made immediately, and channels send the prices with their next file.',
      confirm: 'Approve',
    })
    if (isSure) decision.mutate({ done: 'Approved', run: () => approveRequest({ id, version }) })
  }
  const reject = async () => {
    const rejected = await askFor<RuleRequest>(`Reject ${title}?`, (answer) => (
      <ReasonForm
        description="The user who requested the change sees it."
        max={500}
        missing="Say why."
        confirm="Reject"
        endpoint={ruleRequests.reject}
        about={id}
        send={(reason) => rejectRequest({ id, version, reason })}
        onAnswer={answer}
      />
    ))
    if (rejected !== null) toast('Rejected', rejected.title)
  }
  const withdraw = () => decision.mutate({ done: 'Withdrawn', run: () => withdrawRequest({ id, version }) })
  return (
    <>
      <h3>
        <bdi>{title}</bdi>
      </h3>
      <p className="fc-small fc-soft">
        <bdi>
          {KINDS[kind]}, requested by {requestedBy}, {formatAgo(requestedAt)}
        </bdi>
      </p>
      {note !== null && (
        <blockquote>
          <bdi>{note}</bdi>
        </blockquote>
      )}
      <Differences differences={differences} />
      <RequestEffect id={id} isSetting={SETTINGS.has(kind)} />
      {outdated !== null && (
        <Text size="sm" c="var(--fc-warn)">
          {outdated}
        </Text>
      )}
      {isOwn && (
        <p className="fc-small fc-soft">You requested this change, so another user must approve it.</p>
      )}
      <div className="fc-buttons">
        {isOwn ? (
          <Action
            for={ruleRequests.withdraw}
            variant="default"
            loading={decision.isPending}
            onClick={withdraw}
          >
            Withdraw
          </Action>
        ) : (
          <>
            <Action
              for={ruleRequests.reject}
              variant="default"
              disabled={decision.isPending}
              onClick={() => void reject()}
            >
              Reject
            </Action>
            <Action
              for={ruleRequests.approve}
              lock={outdated}
              loading={decision.isPending}
              onClick={() => void approve()}
            >
              Approve
            </Action>
          </>
        )}
      </div>
    </>
  )
}

function Differences({ differences }: Pick<RuleRequest, 'differences'>) {
  if (differences.length === 0) return null
  return (
    <ul className="fc-small">
      {differences.map(({ field, before, after }) => (
        <li key={field}>
          <bdi>
            {field}: {before !== null && `${before} → `}
            {after ?? 'None'}
          </bdi>
        </li>
      ))}
    </ul>
  )
}

function useDecision() {
  return useMutation({
    mutationFn: ({ run }: { done: string; run: () => Promise<RuleRequest> }) => run(),
    onSuccess: ({ title }, { done }) => {
      toast(done, title)
    },
    onError: (failure: CallFailure) => showError(failure),
  })
}

/** What the change would do to the stock now, which may differ from when it was requested. */
function RequestEffect({ id, isSetting }: { id: string; isSetting: boolean }) {
  return (
    <Loaded
      query={{ ...query(ruleRequests.effect, { id }), staleTime: 0 }}
      what="the effect"
      shape="fields"
      label="Calculating the effect"
    >
      {(data) =>
        isSetting ? <SettingFigures effect={data} /> : <Effect effect={data} isSimulated={false} />
      }
    </Loaded>
  )
}

function DecidedRequest({ request }: { request: RuleRequest }) {
  const { title, state, changed, decidedAt, decidedBy, requestedBy, reason } = request
  if (state === 'open' || decidedAt === null) return null
  return (
    <>
      <h3>
        <bdi>{title}</bdi>
      </h3>
      <p className="fc-small fc-soft">
        <bdi>
          {DECISIONS[state]} by {decidedBy}, {formatAgo(decidedAt)}. Requested by {requestedBy} for{' '}
          {count(changed, 'price', 'prices')}.
        </bdi>
      </p>
      {reason !== null && (
        <blockquote>
          <bdi>{reason}</bdi>
        </blockquote>
      )}
    </>
  )
}
