import { useMemo } from 'react'
import { UNSUPPORTED_TYPES } from '#contract/marketing/forms/check-form.ts'
import type { Form } from '#contract/marketing/forms/forms.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { withConsentVersions } from '#web/questions/builder/content-changes.ts'
import { LogicFields } from '#web/questions/builder/LogicFields.tsx'
import { QuestionFields } from '#web/questions/builder/QuestionFields.tsx'
import { QUESTION_TYPES } from '#web/questions/builder/question-types.ts'
import { type Builder, type BuilderKit, type Memory, useBuilder } from '#web/questions/builder/use-builder.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { findProblems } from './form-problems.ts'
import { type FormValues, toContent } from './form-values.ts'
import { SourceFields } from './SourceFields.tsx'

const FORM_KIT: BuilderKit = {
  noun: 'step',
  thing: 'Form',
  readers: 'visitors',
  types: QUESTION_TYPES.filter(({ value }) => !UNSUPPORTED_TYPES.has(value)),
  tabs: [
    { id: 'content', title: 'Content', Fields: QuestionFields },
    { id: 'logic', title: 'Logic', Fields: LogicFields },
    { id: 'source', title: 'Data', Fields: SourceFields },
  ],
  hasObligations: false,
}

/** Edits `draft` and `leadFields` of a form that is loaded into `record`. */
export function useFormBuilder(
  record: RecordFormState<FormValues, Form>,
  memory: { memory: Memory; keep: (memory: Memory) => void },
  published: readonly Definition[],
): Builder {
  const { draft, leadFields } = record.form.values
  const content = useMemo(() => toContent({ draft, leadFields }), [draft, leadFields])
  const problems = useMemo(() => findProblems({ draft, leadFields }), [draft, leadFields])
  return useBuilder({
    kit: FORM_KIT,
    content,
    problems,
    isReadOnly: record.isReadOnly,
    onChange: (next) => record.change({ draft: next.draft, leadFields: next.named }),
    complete: (next) => withConsentVersions(next, published),
    memory,
  })
}
