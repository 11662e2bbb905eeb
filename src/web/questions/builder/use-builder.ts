import { type ComponentType, useState } from 'react'
import type { Question, QuestionType } from '#contract/questions/definition.ts'
import { withoutLoneGroups } from './alternatives.ts'
import {
  type Change,
  type ChosenQuestion,
  type Content,
  placeOf,
  questionsIn,
  type SectionNoun,
} from './content-changes.ts'
import { type History, NO_HISTORY, remember, travel } from '#web/ui/history/history.ts'
import { forgetUnreadOf } from '#web/ui/form/unread-numbers.ts'

/** What must or should be corrected, and where. */
export type Problem = Readonly<{
  severity: 'error' | 'warning'
  message: string
  /** The section and the question; null if it isn't about one. */
  section: string | null
  question: string | null
  /** What it is about if it isn't a section or question: "Contact details". */
  about: string | null
}>

export type FieldsProps = Readonly<{ builder: Builder; question: Question }>

/** What differs between forms and questionnaires. */
export type BuilderKit = Readonly<{
  /** What a section is called. */
  noun: SectionNoun
  /** What the definition is called: "Form". */
  thing: string
  /** Who sees the questions. */
  readers: 'visitors' | 'participants'
  types: readonly Readonly<{ value: QuestionType; label: string }>[]
  /** The tabs of a question's properties. */
  tabs: readonly Readonly<{ id: string; title: string; Fields: ComponentType<FieldsProps> }>[]
  /** Whether questions may be answered with "not applicable" or refused, not only required or not. */
  hasObligations: boolean
  /** Shows the questions of the chosen section only, because there are many. */
  showsOneSection?: boolean
  /** More ways to add questions, next to “Add question”. */
  Tools?: ComponentType<Readonly<{ builder: Builder }>>
}>

/** What the builder remembers while a save replaces the record. */
export type Memory = Readonly<{ chosen: ChosenQuestion; history: History<Change> }>
export const NO_MEMORY: Memory = { chosen: { section: '', question: null }, history: NO_HISTORY }

/** The builder of one definition: its questions, the chosen one, and what can be done with them. */
export type Builder = Readonly<{
  kit: BuilderKit
  content: Content
  chosen: ChosenQuestion
  /** The language whose texts are edited. */
  language: string
  isReadOnly: boolean
  problems: readonly Problem[]
  setLanguage: (language: string) => void
  choose: (chosen: ChosenQuestion) => void
  /** Applies a change of the structure, and says what happened. */
  apply: (change: Change | null, says: string) => void
  /** Applies a change of a text or setting. `what` names the field: its keystrokes are undone together. */
  edit: (content: Content, what: string) => void
  undo: (() => void) | null
  redo: (() => void) | null
  /** What screen readers say after the last change of the structure. */
  announcement: string
}>

type Options = Readonly<{
  kit: BuilderKit
  /** Keep it while nothing changes, because problems are found for each one. */
  content: Content
  problems: readonly Problem[]
  isReadOnly: boolean
  /** Puts changed content into the record. */
  onChange: (content: Content) => void
  /** What a change becomes before it is stored. */
  complete?: (content: Content) => Content
  memory: Readonly<{ memory: Memory; keep: (memory: Memory) => void }>
}>

/** Edits a definition that is part of a loaded record. */
export function useBuilder(options: Options): Builder {
  const { kit, content, problems, isReadOnly, onChange, complete = same } = options
  const { memory, keep } = options.memory
  const { languages } = content.draft
  const [announcement, say] = useState('')
  const [wanted, setLanguage] = useState<string | null>(null)
  const chosen = readChosen(content, memory.chosen)
  const { history } = memory

  function write(next: Change, nextHistory: History<Change>) {
    for (const { code } of questionsIn(content)) {
      if (placeOf(next.content, code) === null) forgetUnreadOf(code)
    }
    onChange(next.content)
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
    if (isReadOnly) return
    write(
      { ...next, content: complete(withoutLoneGroups(next.content)) },
      remember(history, { content, chosen }, what),
    )
  }
  return {
    kit,
    content,
    chosen,
    language: wanted !== null && languages.includes(wanted) ? wanted : (languages[0] ?? 'en'),
    isReadOnly,
    problems,
    setLanguage,
    choose: (next) => keep({ ...memory, chosen: next, history: { ...history, last: null } }),
    apply: (next, says) => {
      if (next === null) return
      say(says)
      change(next, null)
    },
    edit: (next, what) => change({ content: next, chosen }, what),
    undo: isReadOnly ? null : step('past'),
    redo: isReadOnly ? null : step('future'),
    announcement,
  }
}

const same = (content: Content): Content => content

/** The chosen entry if it is still there, otherwise its section or the first one. */
function readChosen(content: Content, { section, question }: ChosenQuestion): ChosenQuestion {
  const place = question === null ? null : placeOf(content, question)
  const { sections } = content.draft
  if (place !== null) return { section: sections[place.section]?.id ?? '', question }
  const own = sections.find(({ id }) => id === section)
  if (own !== undefined) return { section: own.id, question: null }
  const [first] = sections
  return { section: first?.id ?? '', question: first?.questions[0]?.code ?? null }
}
