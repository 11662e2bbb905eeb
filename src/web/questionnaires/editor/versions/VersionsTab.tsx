import { Select } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { compareVersions } from '#contract/questionnaires/questionnaires/compare-versions.ts'
import {
  type Questionnaire,
  questionnaires,
  type QuestionnaireVersionSummary,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import type { DefinitionChange } from '#contract/questions/changes.ts'
import type { ScoredDefinition } from '#contract/questions/scores/compare-scoring.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { ChangeList } from './ChangeList.tsx'
import type { DraftContent } from '../draft-saver.ts'

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DRAFT = 'draft'

type Props = { questionnaire: Questionnaire; content: DraftContent }

/** The published versions, and what changed between two of them. */
export function VersionsTab({ questionnaire, content }: Props) {
  const { id } = questionnaire

  return (
    <Loaded query={query(questionnaires.versions, { id })} what="the versions" shape="spinner">
      {(data) => {
        if (data.length === 0) {
          return (
            <EmptyState
              icon={<IconHistory size={18} />}
              title="No versions yet"
              text="Each time you publish, the questions and their scoring are kept as a version. Assessments stay with the version that they were opened with."
            />
          )
        }
        return (
          <div className="fc-versions">
            <Comparison questionnaire={questionnaire} content={content} versions={data} />
            <ol className="fc-version-list">
              {data.map(({ number, questionCount, publishedAt, publishedBy }) => (
                <li key={number}>
                  <strong>Version {number}</strong>
                  <span className="fc-small fc-soft">
                    <bdi>
                      Published {format.format(new Date(publishedAt))}
                      {publishedBy !== null && ` by ${publishedBy}`}.{' '}
                      {count(questionCount, 'question', 'questions')}.
                    </bdi>
                  </span>
                </li>
              ))}
            </ol>
          </div>
        )
      }}
    </Loaded>
  )
}

type ComparisonProps = Props & { versions: readonly QuestionnaireVersionSummary[] }

function Comparison({ questionnaire, content, versions }: ComparisonProps) {
  const { id, hasDraft } = questionnaire
  const choices = [
    ...(hasDraft ? [{ value: DRAFT, label: 'Draft' }] : []),
    ...versions.map(({ number }) => ({ value: String(number), label: `Version ${number}` })),
  ]
  const [newer, setNewer] = useState(choices[0]?.value ?? '')
  const [older, setOlder] = useState(choices[1]?.value ?? '')
  const after = useVersion(id, newer, content)
  const before = useVersion(id, older, content)
  if (choices.length < 2) return <p className="fc-small fc-soft">There is only one version so far.</p>
  return (
    <section className="fc-comparison" aria-label="What changed">
      <h2>What changed</h2>
      <div className="fc-pair">
        <Select
          label="Compare"
          data={choices}
          value={newer}
          allowDeselect={false}
          onChange={(value) => setNewer(value ?? newer)}
        />
        <Select
          label="With"
          data={choices}
          value={older}
          allowDeselect={false}
          onChange={(value) => setOlder(value ?? older)}
        />
      </div>
      {before.error !== null || after.error !== null ? (
        <p className="fc-rows-error" role="alert">
          <bdi>{(before.error ?? after.error)?.message}</bdi>
        </p>
      ) : (
        <Differences before={before.version} after={after.version} />
      )}
    </section>
  )
}

function Differences({ before, after }: { before: ScoredDefinition | null; after: ScoredDefinition | null }) {
  if (before === null || after === null) return <Spinner label="Comparing" />
  const changes = compareVersions(before, after)
  return (
    <>
      <p className="fc-small fc-soft">{sumUp(changes)}</p>
      <ChangeList changes={changes} />
    </>
  )
}

/** What an assessment that moves to the newer version would do with its answers. */
function sumUp(changes: readonly DefinitionChange[]): string {
  const of = (effect: DefinitionChange['effect']) =>
    new Set(changes.flatMap((change) => (change.effect === effect ? [change.question] : []))).size
  const [unused, review] = [of('unused'), of('review')]
  if (changes.length === 0) return 'The versions are the same.'
  if (unused + review === 0)
    return `${count(changes.length, 'change', 'changes')}. All existing answers stay valid.`
  const parts = [
    ...(review > 0 ? [`answers to ${count(review, 'question', 'questions')} need review`] : []),
    ...(unused > 0
      ? [`answers to ${count(unused, 'removed question', 'removed questions')} are set aside`]
      : []),
  ]
  return `${count(changes.length, 'change', 'changes')}: ${parts.join(', ')}. Other answers stay valid.`
}

/** A published version, or the draft on the screen. */
function useVersion(id: string, chosen: string, content: DraftContent) {
  const { data, error } = useQuery({
    ...query(questionnaires.version, { id, number: chosen === DRAFT ? 1 : Number(chosen) }),
    enabled: chosen !== DRAFT && chosen !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
  const draft: ScoredDefinition = { definition: content.draft, scoring: content.scoring }
  if (chosen === DRAFT) return { version: draft, error: null }
  return { version: data ?? null, error }
}
