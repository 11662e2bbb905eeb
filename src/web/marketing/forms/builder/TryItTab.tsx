import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { formFaults } from '#contract/marketing/forms/check-form.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { query } from '#web/api/query.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { Trial, type Tried } from '#web/questions/trial/Trial.tsx'
import { VerdictFrame } from '#web/questions/trial/VerdictFrame.tsx'

/** Answers the draft of a form as a visitor would. Nothing is saved. */
export function TryItTab({ draft, lotId }: { draft: Definition; lotId: string | null }) {
  const compiled = useMemo(() => {
    const hasErrors = formFaults(draft).some(({ severity }) => severity === 'error')
    return hasErrors ? null : compileDefinition(draft)
  }, [draft])
  const [language = 'en'] = draft.languages
  const { data } = useQuery({
    ...query(forms.tryOut, { draft, answers: {}, language, lotId }),
    enabled: compiled !== null,
    placeholderData: keepPreviousData,
  })
  // Until it is known whom the texts name, they would read wrong.
  if (compiled !== null && data === undefined) return <Spinner label="Loading" />
  return (
    <Trial
      compiled={compiled}
      {...(data?.seller && { seller: data.seller })}
      thing="A form"
      readers="visitors"
      completed="These answers could be sent."
      renderVerdict={(tried) => <TriedVerdict draft={draft} lotId={lotId} tried={tried} />}
    />
  )
}

function TriedVerdict({
  draft,
  lotId,
  tried: { answers, language, isSettled },
}: {
  draft: Definition
  lotId: string | null
  tried: Tried
}) {
  const verdict = useQuery({
    ...query(forms.tryOut, { draft, answers, language, lotId }),
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
