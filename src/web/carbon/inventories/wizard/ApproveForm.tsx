import { Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ApprovalCheck, inventoryApproval } from '#contract/carbon/inventories/approval.ts'
import { carbonInventories, type Inventory } from '#contract/carbon/inventories/inventories.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { tonnes } from '#web/carbon/activity/insight-labels.ts'

/** The total that the approver saw, and why they approve it although something is missing. */
type Approval = { seen: { location: string; market: string }; reason: string | null }

type Props = {
  inventoryId: string
  name: string
  send: (approval: Approval) => Promise<Inventory>
  onRefused: () => void
  onAnswer: (approved: Inventory | null) => void
}

/** Shows what would be approved: the total, and what is missing. An incomplete inventory requires a reason. */
export function ApproveForm(props: Props) {
  const { inventoryId } = props
  const { data, error, refetch } = useQuery({
    ...live(query(inventoryApproval.check, { inventory: inventoryId }), {
      // The total is final once nothing is being recalculated.
      while: (check) => check !== undefined && check.pending > 0,
    }),
    gcTime: 0,
  })
  if (error)
    return (
      <FailureState
        failure={error}
        endpoint={inventoryApproval.check}
        what="the total to approve"
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <Spinner label="Loading the total to approve" />
  return <Decision check={data} {...props} />
}

function Decision({ check, inventoryId, name, send, onRefused, onAnswer }: { check: ApprovalCheck } & Props) {
  const { location, market, gaps, pending, refusal } = check
  const needsReason = gaps.length > 0
  const call = useCallForm({
    endpoint: carbonInventories.setStatus,
    about: `${inventoryId}/approve`,
    initial: { reason: '' },
    check: ({ reason }) =>
      needsReason && reason.trim() === ''
        ? { reason: 'Enter why you approve it although data is missing.' }
        : {},
    send: ({ reason }) => send({ seen: { location, market }, reason: reason.trim() || null }),
    onRefused,
    onDone: onAnswer,
  })
  return (
    <CallForm
      call={call}
      confirm={needsReason ? 'Approve anyway' : 'Approve'}
      isReady={refusal === null && pending === 0}
      onCancel={() => onAnswer(null)}
    >
      <p>
        <bdi>
          You approve this total of {name}. It is stored with its ledger, factors and names, including yours,
          and can&rsquo;t be changed or deleted.
        </bdi>
      </p>
      <dl className="fc-carbon-approval">
        <dt>Location-based</dt>
        <dd className="fc-number">
          <bdi>{tonnes(location)} t CO2e</bdi>
        </dd>
        <dt>Market-based</dt>
        <dd className="fc-number">
          <bdi>{tonnes(market)} t CO2e</bdi>
        </dd>
      </dl>
      {needsReason && <Gaps gaps={gaps} />}
      {pending > 0 && (
        <output>
          <Status tone="info" mark="wait">
            The total is being recalculated. Wait until it is final.
          </Status>
        </output>
      )}
      {refusal === null && needsReason && (
        <Textarea
          {...call.field('reason')}
          label="Why approve it anyway?"
          description="The reason and what is missing stay in the history."
          required
          data-autofocus
          autosize
          minRows={2}
          maxLength={500}
        />
      )}
      {refusal !== null && (
        <p className="fc-form-alert" role="alert">
          <bdi>{refusal}</bdi>
        </p>
      )}
    </CallForm>
  )
}

function Gaps({ gaps }: Pick<ApprovalCheck, 'gaps'>) {
  return (
    <section aria-label="What is missing">
      <Status tone="warn" mark="alert">
        Not complete
      </Status>
      <ul className="fc-carbon-gaps">
        {gaps.map(({ sentence }) => (
          <li key={sentence}>
            <bdi>{sentence}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}
