import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { assessmentTargets } from '#contract/assessments/assessments/targets.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { openDeviceStore } from '../../participants/device-store.ts'
import { TargetWork } from './TargetWork.tsx'
import '#web/questions/questions.css'
import './target.css'

const route = getRouteApi('/shell/assessments/$id/targets/$targetId')

/** One facility or organization that answers an assessment: its answers, and their review. */
export function TargetPage() {
  const { targetId } = route.useParams()
  const { claims } = useSession()
  // Answers that wait on this device belong to one user, and to one who acts as them.
  const personId = `user-${claims?.userId ?? ''}-${claims?.impersonateUserId ?? ''}`
  return <OpenTarget key={`${personId}/${targetId}`} id={targetId} personId={personId} />
}

function OpenTarget({ id, personId }: { id: string; personId: string }) {
  const { data, error, refetch } = useQuery(query(assessmentTargets.get, { id }))
  const device = useQuery({
    queryKey: ['device', personId, id],
    queryFn: () => openDeviceStore(personId, id),
    // What is on the device changes without this query.
    gcTime: 0,
    staleTime: Infinity,
  })
  if (data && device.data) return <TargetWork record={data} device={device.data} />
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
