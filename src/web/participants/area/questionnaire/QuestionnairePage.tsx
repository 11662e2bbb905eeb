import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { sentenceOf, useArea, useParticipantCall } from '../area.ts'
import { AreaLayout } from '../AreaLayout.tsx'
import { openDeviceStore, type TabClaim, useTabClaim } from '#web/assessments/index.ts'
import { Questionnaire } from './Questionnaire.tsx'

/** A questionnaire, once no other tab of this browser works on it. */
export function QuestionnairePage({ targetId }: { targetId: string }) {
  const { session, text } = useArea()
  const claim = useTabClaim(`participant/${session.participantId}/${targetId}`)
  if (claim.state === 'held') return <LoadedQuestionnaire targetId={targetId} claim={claim} />
  return (
    <AreaLayout title={text(claim.state === 'asking' ? 'loading' : 'openOther')}>
      {claim.state === 'asking' ? (
        <Spinner label={text('loading')} />
      ) : (
        <div className="fc-area-message">
          <p>{text('openOtherText')}</p>
          <Button size="md" onClick={claim.take}>
            {text('continueHere')}
          </Button>
        </div>
      )}
    </AreaLayout>
  )
}

/** Loads what the server and this device have. */
function LoadedQuestionnaire({ targetId, claim }: { targetId: string; claim: TabClaim }) {
  const { session, text } = useArea()
  const call = useParticipantCall()
  const { participantId } = session
  /** Counts how often it was opened: again with the questions of another version. */
  const [round, setRound] = useState(0)
  const reopen = useCallback(() => setRound((former) => former + 1), [])
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['opened', participantId, targetId, round],
    queryFn: async ({ signal }) => {
      const [record, device] = await Promise.all([
        call(participantArea.get, { id: targetId }, { signal }),
        openDeviceStore(participantId, targetId),
      ])
      return { record, device }
    },
    // Read once; afterward the page follows the server itself.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  if (data !== undefined) {
    const { record, device } = data
    return <Questionnaire key={round} first={record} device={device} claim={claim} reopen={reopen} />
  }
  return (
    <AreaLayout title={text(error === null ? 'loading' : 'loadFailed')}>
      {error === null ? (
        <Spinner label={text('loading')} />
      ) : (
        <div className="fc-area-message" role="alert">
          <p>{sentenceOf(error, text)}</p>
          <Button loading={isFetching} variant="default" onClick={() => void refetch()}>
            {text('retry')}
          </Button>
        </div>
      )}
    </AreaLayout>
  )
}
