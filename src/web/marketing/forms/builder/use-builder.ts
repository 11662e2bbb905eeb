import { useMemo, useState } from 'react'
import type { Form } from '#contract/marketing/forms/forms.ts'
import type { Definition } from '#contract/questions/definition.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import {
  type Change,
  type Chosen,
  type Content,
  type History,
  NO_HISTORY,
  placeOf,
  remember,
  travel,
  withConsentVersions,
} from './form-builder.ts'
import { findProblems, type Problem } from './form-problems.ts'
import type { FormValues } from './form-values.ts'

/** What the builder remembers while a save replaces the form. */
export type Memory = Readonly<{ chosen: Chosen; history: History }>
export const NO_MEMORY: Memory = { chosen: { section: '', question: null }, history: NO_HISTORY }

/** The builder of one form: its questions, the chosen one, and what can be done with them. */
export type Builder = Readonly<{
  content: Content
  chosen: Chosen
  /** The language whose texts are edited. */
  language: string
  isReadOnly: boolean
  problems: readonly Problem[]
  setLanguage: (language: string) => void
  choose: (chosen: Chosen) => void
  /** Applies a change of the structure, and says what happened. */
  apply: (change: Change | null, says: string) => void
  /** Applies a change of a text or setting. `what` names the field: its keystrokes are undone together. */
  edit: (content: Content, what: string) => void
  undo: (() => void) | null
  redo: (() => void) | null
  /** What screen readers say after the last change of the structure. */
  announcement: string
}>

/** Edits `draft` and `leadFields` of a form that is loaded into `record`. */
export function useBuilder(
  record: RecordFormState<FormValues, Form>,
  { memory, keep }: { memory: Memory; keep: (memory: Memory) => void },
  published: readonly Definition[],
): Builder {
  const { draft, leadFields } = record.form.values
  const content: Content = useMemo(() => ({ draft, leadFields }), [draft, leadFields])
  const problems = useMemo(() => findProblems(content), [content])
  const [announcement, say] = useState('')
  const [wanted, setLanguage] = useState<string | null>(null)
  const chosen = readChosen(content, memory.chosen)
  const { history } = memory

  function write(next: Change, nextHistory: History) {
    record.change({ draft: next.content.draft, leadFields: next.content.leadFields })
    keep({ chosen: next.chosen, history: nextHistory })
  }
  function step(to: 'past' | 'future') {
    const found = travel(history, { content, chosen }, to)
    if (found === null) return null
    return () => {
      say(to === 'past' ? 'Undone' : 'Redone')
      write(found.change, found.history)
    }
  }
  const change = (next: Change, what: string | null) => {
    if (record.isReadOnly) return
    const versioned = { ...next, content: withConsentVersions(next.content, published) }
    write(versioned, remember(history, { content, chosen }, what))
  }
  return {
    content,
    chosen,
    language: wanted !== null && draft.languages.includes(wanted) ? wanted : (draft.languages[0] ?? 'en'),
    isReadOnly: record.isReadOnly,
    problems,
    setLanguage,
    choose: (next) => keep({ ...memory, chosen: next, history: { ...history, last: null } }),
    apply: (next, says) => {
      if (next === null) return
      say(says)
      change(next, null)
    },
    edit: (next, what) => change({ content: next, chosen }, what),
    undo: record.isReadOnly ? null : step('past'),
    redo: record.isReadOnly ? null : step('future'),
    announcement,
  }
}

/** The chosen entry if it is still there, otherwise its step or the first one. */
function readChosen(content: Content, { section, question }: Chosen): Chosen {
  const place = question === null ? null : placeOf(content, question)
  const { sections } = content.draft
  if (place !== null) return { section: sections[place.section]?.id ?? '', question }
  const own = sections.find(({ id }) => id === section)
  if (own !== undefined) return { section: own.id, question: null }
  const [first] = sections
  return { section: first?.id ?? '', question: first?.questions[0]?.code ?? null }
}
