import { useQuery } from '@tanstack/react-query'
import { ruleRequests } from '#contract/pricing/rules/rule-requests.ts'
import { query } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import '#web/ui/feedback/notice.css'

/** Says that changes wait for approval, above the rules. */
export function WaitingChanges({ onReview }: { onReview: () => void }) {
  const { data } = useQuery(query(ruleRequests.list, {}))
  const open = data?.filter(({ state }) => state === 'open') ?? []
  if (open.length === 0) return null
  return (
    <p className="fc-note">
      <bdi>{count(open.length, 'change waits', 'changes wait')} for approval.</bdi>{' '}
      <button type="button" className="fc-link" onClick={onReview}>
        Review
      </button>
    </p>
  )
}
