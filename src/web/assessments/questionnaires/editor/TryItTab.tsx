import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { questionnaires } from '#contract/assessments/questionnaires/questionnaires.ts'
import { checkQuestionnaire } from '#contract/assessments/questionnaires/check-questionnaire.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import { query } from '#web/api/query.ts'
import { Trial, type Tried } from '#web/questions/trial/Trial.tsx'
import type { DraftContent } from './draft-saver.ts'
import { Verdict } from './Verdict.tsx'

/** Answers the questionnaire as a participant would. Nothing is saved. */
export function TryItTab({ content }: { content: DraftContent }) {
  const { draft, scoring } = content
  const compiled = useMemo(() => {
    const { faults } = checkQuestionnaire({ draft, scoring })
    return faults.some(({ severity }) => severity === 'error') ? null : compileDefinition(draft)
  }, [draft, scoring])
  return (
    <Trial
      compiled={compiled}
      thing="A questionnaire"
      readers="participants"
      completed="These answers could be submitted."
      renderVerdict={(tried) => <TriedVerdict content={content} tried={tried} />}
    />
  )
}

function TriedVerdict({
  content,
  tried: { answers, language, isSettled },
}: {
  content: DraftContent
  tried: Tried
}) {
  const { draft, scoring } = content
  const verdict = useQuery({
    ...query(questionnaires.tryOut, { draft, scoring, answers, language }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return (
    <Verdict
      content={content}
      language={language}
      verdict={verdict.data ?? null}
      failure={verdict.error}
      isStale={verdict.isFetching || !isSettled}
    />
  )
}
