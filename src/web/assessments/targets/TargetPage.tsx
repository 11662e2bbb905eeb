import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconBrowser } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { openDeviceStore } from '../answering/device-store.ts'
import { type TabClaim, useTabClaim } from '../answering/use-tab-claim.ts'
import { TargetWork } from './TargetWork.tsx'
import '#web/ui/list/list.css'
import '#web/questions/questions.css'
import './target.css'

const route = getRouteApi('/shell/assessments/$id/targets/$targetId')

/** One facility or organization that answers an assessment: its answers, and their review. */
export function TargetPage() {
  const { targetId } = route.useParams()
  const { claims } = useSession()
  // Answers that wait on this device belong to one user, and to one who acts as them.
  const personId = `user-${claims?.userId ?? ''}-${claims?.impersonateUserId ?? ''}`
  return <ClaimedTarget key={`${personId}/${targetId}`} id={targetId} personId={personId} />
}

type Props = { id: string; personId: string }

/** One tab at a time answers a target: two would send the same kept answers. */
function ClaimedTarget(props: Props) {
  const claim = useTabClaim(`target/${props.personId}/${props.id}`)
  if (claim.state === 'held') return <OpenTarget {...props} claim={claim} />
  return (
    <div className="fc-list">
      <PageHeader title="Assessment" context="" />
      {claim.state === 'asking' ? (
        <Spinner label="Loading the answers" />
      ) : (
        <EmptyState
          icon={<IconBrowser size={18} />}
          title="Open in another tab"
          text="You have these answers open in another tab of this browser. What you typed there is kept."
        >
          <Button onClick={claim.take}>Continue here</Button>
        </EmptyState>
      )}
    </div>
  )
}

function OpenTarget({ id, personId, claim }: Props & { claim: TabClaim }) {
  const { data, error, refetch } = useQuery(query(assessmentTargets.get, { id }))
  /** Counts how often it was opened: again with the questions of another version. */
  const [round, setRound] = useState(0)
  const reopen = useCallback(() => setRound((former) => former + 1), [])
  const device = useQuery({
    queryKey: ['device', personId, id, round],
    queryFn: () => openDeviceStore(personId, id),
    // What is on the device changes without this query.
    gcTime: 0,
    staleTime: Infinity,
  })
  if (data && device.data) {
    return <TargetWork key={round} latest={data} device={device.data} claim={claim} reopen={reopen} />
  }
  return (
    <div className="fc-list">
      <PageHeader title="Assessment" context="" />
      {error && (
        <FailureState
          failure={error}
          endpoint={assessmentTargets.get}
          what="these answers"
          onRetry={() => void refetch()}
        />
      )}
      {!error && <Spinner label="Loading the answers" />}
    </div>
  )
}
