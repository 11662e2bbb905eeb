import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { QuestionnaireEditor } from './QuestionnaireEditor.tsx'

const route = getRouteApi('/shell/configure-questionnaire/$id')

/** One questionnaire: its questions, scoring, translations and versions. */
export function QuestionnairePage() {
  const { id } = route.useParams()
  return <OpenQuestionnaire key={id} id={id} />
}

function OpenQuestionnaire({ id }: { id: string }) {
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...query(questionnaires.get, { id }),
    // The editor keeps what it started with, so it must start with the current draft and not with a cached one.
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  if (data && isFetchedAfterMount) return <QuestionnaireEditor loaded={data} />
  return (
    <div className="fc-list">
      <PageHeader title="Questionnaire" context="" />
      {error !== null && (
        <FailureState
          failure={error}
          endpoint={questionnaires.get}
          what="this questionnaire"
          onRetry={() => void refetch()}
        />
      )}
      {error === null && <Spinner label="Loading the questionnaire" />}
    </div>
  )
}
