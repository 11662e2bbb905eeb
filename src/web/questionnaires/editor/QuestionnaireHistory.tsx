import { compareVersions } from '#contract/questionnaires/questionnaires/compare-versions.ts'
import { type Questionnaire, questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import type { ScoredDefinition } from '#contract/questions/scores/compare-scoring.ts'
import { call } from '#web/api/client.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import type { Builder } from '#web/questions/builder/use-builder.ts'
import { DocumentVersions } from '#web/ui/document/DocumentVersions.tsx'
import { VersionComparison } from '#web/ui/document/VersionComparison.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'

type Props = {
  questionnaire: Questionnaire
  builder: Builder
  /** After a version was put into the draft. */
  onRestored: () => void
}

/** The published versions, what changed between two of them, and a way back to each while a draft is open. */
export function QuestionnaireHistory({ questionnaire: { id, hasDraft }, builder, onRestored }: Props) {
  const { content, isReadOnly, edit } = builder
  const read = (number: number) => ({
    queryKey: [...keyOf(questionnaires.version), { id, number }],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call(questionnaires.version, { id, number }, { signal }),
  })
  const draft = { definition: content.draft, scoring: content.scoring }
  async function restore(number: number) {
    const { definition, scoring } = await queryClient.fetchQuery({
      ...read(number),
      staleTime: Number.POSITIVE_INFINITY,
    })
    if (compareVersions({ definition, scoring }, draft).length === 0) {
      toast(`Same as version ${number}`, 'The draft already has these questions.')
      return
    }
    edit({ ...content, draft: definition, scoring }, `version ${number}`)
    onRestored()
    toast(
      `Questions of version ${number}`,
      'Assessments use them when you publish. Undo restores your questions.',
    )
  }
  return (
    <Loaded query={query(questionnaires.versions, { id })} what="the versions" shape="spinner">
      {(versions) => (
        <DocumentVersions
          versions={versions.map(({ questionCount, ...version }) => ({
            ...version,
            summary: `${count(questionCount, 'question', 'questions')}.`,
            onRestore: isReadOnly ? null : () => void restore(version.number).catch(showError),
          }))}
          empty="Each time you publish, the questions and their scoring are kept as a version. Assessments stay with the version that they were opened with."
          comparison={
            <VersionComparison<ScoredDefinition>
              numbers={versions.map(({ number }) => number)}
              draft={hasDraft ? draft : null}
              read={read}
              compare={compareVersions}
            />
          }
        />
      )}
    </Loaded>
  )
}
