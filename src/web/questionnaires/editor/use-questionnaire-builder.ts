import { useMemo, useState } from 'react'
import type { QuestionnaireVersion } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { withConsentVersions } from '#web/questions/builder/content-changes.ts'
import { mergeMemory } from '#web/questions/builder/merge-content.ts'
import { QuestionFields } from '#web/questions/builder/QuestionFields.tsx'
import { QUESTION_TYPES } from '#web/questions/builder/question-types.ts'
import {
  type Builder,
  type BuilderKit,
  type Memory,
  NO_MEMORY,
  useBuilder,
} from '#web/questions/builder/use-builder.ts'
import { BankButton } from '../bank/BankButton.tsx'
import { DataFields } from './DataFields.tsx'
import { type DraftContent, type DraftSaver, toContent } from './draft-saver.ts'
import { findProblems } from './questionnaire-problems.ts'
import { LogicAndObligations } from './ObligationRules.tsx'
import { ScoreFields } from './scoring/ScoreFields.tsx'

const KIT: BuilderKit = {
  noun: 'section',
  thing: 'Questionnaire',
  readers: 'participants',
  types: QUESTION_TYPES,
  tabs: [
    { id: 'content', title: 'Content', Fields: QuestionFields },
    { id: 'logic', title: 'Logic', Fields: LogicAndObligations },
    { id: 'score', title: 'Score', Fields: ScoreFields },
    { id: 'data', title: 'Data', Fields: DataFields },
  ],
  hasObligations: true,
  showsOneSection: true,
  Tools: BankButton,
}

/** Edits the draft of a questionnaire. `onMerged`: it continues with what another user saved, so undo has to keep that. */
export function useQuestionnaireBuilder(
  saver: DraftSaver,
  content: DraftContent,
  { isReadOnly, published }: { isReadOnly: boolean; published: QuestionnaireVersion | null },
): { builder: Builder; onMerged: (base: DraftContent, theirs: DraftContent) => void } {
  const [memory, keep] = useState<Memory>(NO_MEMORY)
  const { draft, scoring } = content
  const edited = useMemo(() => toContent({ draft, scoring }), [draft, scoring])
  const problems = useMemo(() => findProblems({ draft, scoring }), [draft, scoring])
  const builder = useBuilder({
    kit: KIT,
    content: edited,
    problems,
    isReadOnly,
    onChange: (next) => saver.change({ draft: next.draft, scoring: next.scoring }),
    complete: (next) => (published === null ? next : withConsentVersions(next, [published.definition])),
    memory: { memory, keep },
  })
  const onMerged = (base: DraftContent, theirs: DraftContent) =>
    keep(mergeMemory(memory, toContent(base), toContent(theirs)))
  return { builder, onMerged }
}
