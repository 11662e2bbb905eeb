import { useQuery } from '@tanstack/react-query'
import { type TargetReopening, targetReopenings } from '#contract/assessments/targets/target-reopenings.ts'
import { wasApprovedByTwo } from '#contract/assessments/targets/target-states.ts'
import { assessmentTargets, type TargetRecord } from '#contract/assessments/targets/targets.ts'
import { live } from '#web/api/live.ts'
import { query, queryClient, send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useOpening } from '#web/ui/reopening/use-opening.tsx'
import { ReopeningNotice } from '#web/ui/reopening/ReopeningNotice.tsx'

const CALLS = {
  request: send(targetReopenings.request),
  confirm: send(targetReopenings.confirm),
  decline: send(targetReopenings.decline),
  withdraw: send(targetReopenings.withdraw),
}
const STAYS = 'approved'

/** The request to reopen a target that waits for a decision; null if there is none. */
export function useOpenTargetReopening(record: TargetRecord): TargetReopening | null {
  const { data } = useQuery({
    ...live(query(targetReopenings.list, { targetId: record.id }), {
      while: (all) => all?.some(({ decision }) => decision === null) === true,
    }),
    enabled: wasApprovedByTwo(record),
  })
  return (wasApprovedByTwo(record) && data?.find(({ decision }) => decision === null)) || null
}

/** What two people do to reopen a target that two people approved. */
export function useTargetReopening({ id, name }: TargetRecord) {
  const opening = useOpening({
    id,
    name,
    endpoints: targetReopenings,
    calls: CALLS,
    stale: [assessmentTargets.get, targetReopenings.list],
    onOpened: (opened) => {
      queryClient.setQueryData(query(assessmentTargets.get, { id }).queryKey, opened)
      toast('Reopened', opened.name)
    },
  })
  const note = ' Once it is reopened, people without an account get an email with your reason and a new link.'
  return {
    request: () => opening.request('reopen', (reason) => ({ targetId: id, reason }), note),
    confirm: (one: TargetReopening) =>
      opening.confirm(
        one,
        'Reopen',
        'can be answered again then, and has to be submitted and reviewed again',
      ),
    decline: (one: TargetReopening) => opening.decline(one, STAYS),
    withdraw: (one: TargetReopening) => opening.withdraw(one, STAYS),
  }
}

/** The open request to reopen a target that two people approved. Nothing without one. */
export function TargetReopeningNotice({ record }: { record: TargetRecord }) {
  const reopening = useOpenTargetReopening(record)
  const { confirm, decline, withdraw } = useTargetReopening(record)
  if (reopening === null) return null
  return (
    <ReopeningNotice
      reopening={reopening}
      verb="Reopen"
      name={record.name}
      endpoints={targetReopenings}
      onConfirm={() => void confirm(reopening)}
      onDecline={() => void decline(reopening)}
      onWithdraw={() => void withdraw(reopening)}
    />
  )
}
