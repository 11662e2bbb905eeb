import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { formFaults } from '#contract/marketing/forms/check-form.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { query } from '#web/api/query.ts'
import { Trial, type Tried } from '#web/questions/trial/Trial.tsx'
import { VerdictFrame } from '#web/questions/trial/VerdictFrame.tsx'

/** Answers the draft of a form as a visitor would. Nothing is saved. */
export function TryItTab({ draft }: { draft: Definition }) {
  const compiled = useMemo(() => {
    const hasErrors = formFaults(draft).some(({ severity }) => severity === 'error')
    return hasErrors ? null : compileDefinition(draft)
  }, [draft])
  return (
    <Trial
      compiled={compiled}
      thing="A form"
      readers="visitors"
      completed="These answers could be sent."
      renderVerdict={(tried) => <TriedVerdict draft={draft} tried={tried} />}
    />
  )
}

function TriedVerdict({
  draft,
  tried: { answers, language, isSettled },
}: {
  draft: Definition
  tried: Tried
}) {
  const verdict = useQuery({
    ...query(forms.tryOut, { draft, answers, language }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return (
    <VerdictFrame
      draft={draft}
      language={language}
      verdict={verdict.data ?? null}
      failure={verdict.error}
      isStale={verdict.isFetching || !isSettled}
    />
  )
}
