import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { checkQuestionnaire } from '#contract/questionnaires/questionnaires/check-questionnaire.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { dependsOn, type ObligationScope, withObligations } from '#contract/questions/obligations.ts'
import { textIn } from '#contract/questions/texts.ts'
import { SIZE_CHOICES } from '#contract/questions/vocabulary.ts'
import { query } from '#web/api/query.ts'
import { Trial, type Tried } from '#web/questions/trial/Trial.tsx'
import type { DraftContent } from './draft-saver.ts'
import { Verdict } from './Verdict.tsx'

/** Answers the questionnaire as a participant would. Nothing is saved. */
export function TryItTab({ content }: { content: DraftContent }) {
  const { draft, scoring } = content
  const [scope, setScope] = useState<ObligationScope>({
    edition: draft.editions?.[0]?.code ?? null,
    size: null,
  })
  const asked = useMemo(() => withObligations(draft, scope), [draft, scope])
  const compiled = useMemo(() => {
    const { faults } = checkQuestionnaire({ draft, scoring })
    return faults.some(({ severity }) => severity === 'error') ? null : compileDefinition(asked)
  }, [draft, scoring, asked])
  return (
    <Trial
      compiled={compiled}
      thing="A questionnaire"
      readers="participants"
      completed="These answers could be submitted."
      controls={<ScopeFields draft={draft} scope={scope} onChange={setScope} />}
      renderVerdict={(tried) => <TriedVerdict content={{ ...content, draft: asked }} tried={tried} />}
    />
  )
}

type ScopeProps = { draft: Definition; scope: ObligationScope; onChange: (scope: ObligationScope) => void }

/** The edition and company size to try, if they decide what is required. */
function ScopeFields({ draft, scope, onChange }: ScopeProps) {
  const needs = dependsOn(draft)
  const { editions = [], languages } = draft
  return (
    <>
      {needs.edition && (
        <Select
          aria-label="Edition"
          data={editions.map(({ code, title }) => ({
            value: code,
            label: textIn(title, languages[0] ?? 'en', languages) || code,
          }))}
          value={scope.edition}
          allowDeselect={false}
          onChange={(edition) => onChange({ ...scope, edition })}
        />
      )}
      {needs.size && (
        <Select
          aria-label="Company size"
          placeholder="Company size"
          data={[...SIZE_CHOICES]}
          value={scope.size}
          onChange={(value) =>
            onChange({ ...scope, size: SIZE_CHOICES.find((one) => one.value === value)?.value ?? null })
          }
        />
      )}
    </>
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
