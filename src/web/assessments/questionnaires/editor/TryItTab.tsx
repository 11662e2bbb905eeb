import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCircleCheck, IconFlask } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { questionnaires } from '#contract/assessments/questionnaires/questionnaires.ts'
import { checkQuestionnaire } from '#contract/assessments/questionnaires/check-questionnaire.ts'
import { type CompiledDefinition, compileDefinition } from '#contract/questions/compile.ts'
import { query } from '#web/api/query.ts'
import { type Drafts, toAnswers } from '#web/questions/draft-answers.ts'
import { QuestionForm } from '#web/questions/QuestionForm.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { nameOfLanguage } from './language-names.ts'
import type { DraftContent } from './draft-saver.ts'
import { Verdict } from './Verdict.tsx'

const DEBOUNCE_MS = 400
const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Answers the questionnaire as a participant would. Nothing is saved. */
export function TryItTab({ content }: { content: DraftContent }) {
  const { draft, scoring } = content
  const compiled = useMemo(() => {
    const { faults } = checkQuestionnaire({ draft, scoring })
    return faults.some(({ severity }) => severity === 'error') ? null : compileDefinition(draft)
  }, [draft, scoring])
  if (compiled === null) {
    return (
      <EmptyState
        icon={<IconFlask size={18} />}
        title="Fix the errors first"
        text="A questionnaire with errors can't be answered. The Questions tab lists them."
      />
    )
  }
  return <Trial compiled={compiled} content={content} />
}

function Trial({ compiled, content }: { compiled: CompiledDefinition; content: DraftContent }) {
  const { draft, scoring } = content
  const [now] = useState(() => new Date())
  const [language, setLanguage] = useState(draft.languages[0] ?? 'en')
  const [drafts, setDrafts] = useState<Drafts>({})
  const [isComplete, setComplete] = useState(false)
  const answers = useMemo(() => toAnswers(compiled, drafts, language), [compiled, drafts, language])
  const [settled] = useDebouncedValue(answers, DEBOUNCE_MS)
  const verdict = useQuery({
    ...query(questionnaires.tryOut, { draft, scoring, answers: settled, language }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return (
    <div className="fc-trial">
      <div className="fc-trial-form">
        <div className="fc-trial-note">
          <IconFlask size={16} aria-hidden="true" />
          <span className="fc-grow">This is how participants see it. Nothing is saved.</span>
          {draft.languages.length > 1 && (
            <Select
              aria-label="Language"
              data={draft.languages.map((tag) => ({ value: tag, label: nameOfLanguage(tag) }))}
              value={language}
              allowDeselect={false}
              onChange={(tag) => setLanguage(tag ?? language)}
            />
          )}
        </div>
        <QuestionForm
          key={language}
          compiled={compiled}
          language={language}
          now={now}
          zone={ZONE}
          initial={drafts}
          isStepped
          submitLabel="Check answers"
          onDrafts={(next) => {
            setDrafts(next)
            setComplete(false)
          }}
          onSubmit={() => setComplete(true)}
        />
        {isComplete && (
          <output className="fc-trial-note">
            <IconCircleCheck size={16} aria-hidden="true" /> These answers could be submitted.
          </output>
        )}
      </div>
      <Verdict
        content={content}
        language={language}
        verdict={verdict.data ?? null}
        failure={verdict.error}
        isStale={verdict.isFetching || answers !== settled}
      />
    </div>
  )
}
