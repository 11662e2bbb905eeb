import { useQuery } from '@tanstack/react-query'
import { compareVersions } from '#contract/questionnaires/questionnaires/compare-versions.ts'
import { type Questionnaire, questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import type { ScoredDefinition } from '#contract/questions/scores/compare-scoring.ts'
import { call } from '#web/api/client.ts'
import { keyOf, query } from '#web/api/query.ts'
import { DocumentVersions } from '#web/ui/document/DocumentVersions.tsx'
import { VersionComparison } from '#web/ui/document/VersionComparison.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import type { DraftContent } from './draft-saver.ts'

type Props = { questionnaire: Questionnaire; content: DraftContent }

/** The published versions, and what changed between two of them. */
export function QuestionnaireHistory({ questionnaire: { id, hasDraft }, content }: Props) {
  const { data, error, refetch } = useQuery(query(questionnaires.versions, { id }))
  if (error !== null) {
    return (
      <FailureState
        failure={error}
        endpoint={questionnaires.versions}
        what="the versions"
        onRetry={() => void refetch()}
      />
    )
  }
  if (data === undefined) return <Spinner label="Loading the versions" />
  return (
    <DocumentVersions
      versions={data.map(({ questionCount, ...version }) => ({
        ...version,
        summary: `${count(questionCount, 'question', 'questions')}.`,
      }))}
      empty="Each time you publish, the questions and their scoring are kept as a version. Assessments stay with the version that they were opened with."
      comparison={
        <VersionComparison<ScoredDefinition>
          numbers={data.map(({ number }) => number)}
          draft={hasDraft ? { definition: content.draft, scoring: content.scoring } : null}
          read={(number) => ({
            queryKey: [...keyOf(questionnaires.version), { id, number }],
            queryFn: ({ signal }) => call(questionnaires.version, { id, number }, { signal }),
          })}
          compare={compareVersions}
        />
      }
    />
  )
}
