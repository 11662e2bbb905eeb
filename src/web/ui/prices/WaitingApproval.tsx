import { useQuery } from '@tanstack/react-query'
import { Group, Stack, Text } from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import type { z } from 'zod'
import { type RuleRequest, ruleRequests } from '#contract/pricing/rules/rule-requests.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'

const withdrawRequest = send(ruleRequests.withdraw)

/**
 * Says above the form of a record which of its fields are waiting for a second user's approval: who asked, from what to what.
 * The user who asked can withdraw it, and sees here if it was rejected.
 */
export function WaitingApproval(props: z.input<typeof ruleRequests.waiting.input>) {
  const { data } = useQuery(query(ruleRequests.waiting, props))
  const isLoaded = useRef(false)
  useEffect(() => {
    if (data !== undefined) isLoaded.current = true
  }, [data])
  return data?.map((request) => <Waiting key={request.id} request={request} isLoaded={isLoaded} />)
}

/** `isLoaded`: the form was there before the request, which was made in it. */
function Waiting({ request, isLoaded }: { request: RuleRequest; isLoaded: RefObject<boolean> }) {
  const shown = useRef<HTMLDivElement>(null)
  // The field may be far below, and has its saved value again.
  useEffect(() => {
    if (isLoaded.current) shown.current?.scrollIntoView({ block: 'center' })
  }, [isLoaded])
  const { title, state, note, reason, differences, outdated } = request
  const isOpen = state === 'open'
  return (
    <Stack
      component="section"
      ref={shown}
      aria-label={isOpen ? 'Waiting for approval' : 'Rejected'}
      gap={4}
      m="12px var(--fc-gutter)"
      px="md"
      py="sm"
      fz="sm"
      bg="var(--fc-warn-tint)"
    >
      <Text fz="sm" fw={600}>
        <bdi>{describeState(request)}</bdi>
      </Text>
      {differences.length > 0 && (
        <ul className="fc-lines" aria-label={`What changes in ${title}`}>
          {differences.map(({ field, before, after }) => (
            <li key={field}>
              <bdi>
                {field}: {before ?? 'None'} → {after ?? 'None'}
              </bdi>
            </li>
          ))}
        </ul>
      )}
      {note !== null && isOpen && (
        <p>
          <bdi>Note: {note}</bdi>
        </p>
      )}
      {reason !== null && (
        <p>
          <bdi>Reason: {reason}</bdi>
        </p>
      )}
      {isOpen && <p>{outdated === null ? KEPT : `${outdated} It can't be approved any longer.`}</p>}
      {isOpen && <WaitingActions request={request} />}
    </Stack>
  )
}

const KEPT = 'Until then, what is saved stays in use. You can change and save everything else.'

function describeState({ kind, isOwn, state, requestedBy, requestedAt, decidedBy, decidedAt }: RuleRequest) {
  const what = kind === 'remove' ? 'Deleting this' : 'A change'
  if (state !== 'open' && decidedAt !== null)
    return `${decidedBy ?? 'Another user'} rejected the change you asked for, ${formatAgo(decidedAt)}.`
  const who = isOwn ? 'you' : requestedBy
  return `${what} waits for approval. Requested by ${who}, ${formatAgo(requestedAt)}.`
}

function WaitingActions({ request: { id, version, isOwn } }: { request: RuleRequest }) {
  const holds = useHolds()
  const withdrawal = useMutation({
    mutationFn: () => withdrawRequest({ id, version }),
    onSuccess: ({ title }) => {
      toast('Withdrawn', title)
    },
    onError: (failure: CallFailure) => showError(failure),
  })
  const maySee = permissionsFor(ruleRequests.list.allow).every((permission) => holds(permission) === true)
  return (
    <Group gap="md">
      {maySee && (
        <Link to="/inventory/pricing-rules" search={{ panel: 'approvals' }} className="fc-link">
          {isOwn ? 'Open the request' : 'Review'}
        </Link>
      )}
      {isOwn && (
        <Action
          for={ruleRequests.withdraw}
          variant="default"
          size="compact-sm"
          loading={withdrawal.isPending}
          onClick={() => withdrawal.mutate()}
        >
          Withdraw
        </Action>
      )}
    </Group>
  )
}
