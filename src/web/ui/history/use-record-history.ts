import { useState } from 'react'
import { isEqual } from '#contract/questions/changes.ts'
import { mergeChanges } from '../record/merge-changes.ts'
import type { RecordFormState } from '../record/use-record-form.ts'
import { type History, NO_HISTORY, remember, travel } from './history.ts'

/** What a step did: `says` "Text removed", and `what` names the field whose keystrokes are one step; null: a step of its own. */
export type StepWords = Readonly<{ says: string; what: string | null }>
/** The values before a step, or after an undone one, and what the step did. */
type Step<V> = Readonly<{ values: V; says: string }>
type Memory<V> = Readonly<{
  history: History<Step<V>>
  /** As the last step left them; null before the first. */
  now: V | null
  announcement: string
}>

/** The steps of a form: what makes one, and how they are taken back. */
export type RecordSteps = Readonly<{
  change: (changes: Readonly<Record<string, unknown>>, words: StepWords) => void
  undo: (() => void) | null
  redo: (() => void) | null
  /** What the last step was, for screen readers too. */
  announcement: string
}>

/** What `recordSteps` remembers of this record. `onMerged` is for its form. */
export function useRecordHistory<V extends Record<string, unknown>>(id: string) {
  const [kept, setKept] = useState<{ id: string; memory: Memory<V> }>({ id, memory: NO_MEMORY })
  const memory = kept.id === id ? kept.memory : NO_MEMORY
  const keep = (next: Memory<V>) => setKept({ id, memory: next })
  const onMerged = (base: V, theirs: V) => keep(mergeSteps(memory, base, theirs))
  return { memory, keep, onMerged }
}

export const NO_MEMORY: Memory<never> = { history: NO_HISTORY, now: null, announcement: '' }

/** For a form that continues with what another user saved: undoing a step must not undo that. */
export function mergeSteps<V>({ history, now }: Memory<V>, base: V, theirs: V): Memory<V> {
  const merged = (mine: V): V => mergeChanges({ base, mine, theirs })
  const mergeAll = (steps: readonly Step<V>[]) =>
    steps.map(({ values, says }) => ({ values: merged(values), says }))
  return {
    history: { past: mergeAll(history.past), future: mergeAll(history.future), last: null },
    now: now && merged(now),
    announcement: '',
  }
}

type HistoryStore<V> = Readonly<{ memory: Memory<V>; keep: (memory: Memory<V>) => void }>
type Edited<V> = Pick<RecordFormState<V, never>, 'change' | 'isReadOnly'> & {
  form: Pick<RecordFormState<V, never>['form'], 'values'>
}

/**
 * Undo and redo of single steps in a form. A step holds all values, so that undoing one never loses what was typed elsewhere:
 * what changed the form besides `change` (typing in its other fields, discarding, a restored version) is a step too.
 */
export function recordSteps<V extends Record<string, unknown>>(
  { form: { values }, change, isReadOnly }: Edited<V>,
  { memory, keep }: HistoryStore<V>,
): RecordSteps {
  const history = withOtherChanges(memory, values)
  function step(to: 'past' | 'future', word: string) {
    const says = (to === 'past' ? history.past.at(-1) : history.future[0])?.says ?? ''
    const found = travel(history, { values, says }, to)
    if (isReadOnly || found === null) return null
    return () => {
      const { values: now } = found.change
      change(now)
      keep({ history: found.history, now, announcement: `${word}: ${says}.` })
    }
  }
  return {
    change: (changes, { says, what }) => {
      const now = { ...values, ...changes }
      const next = remember(history, { values, says }, what)
      const isTyping = what !== null && what === history.last
      const isBack = isTyping && isEqual(next.past.at(-1)?.values, now)
      change(changes)
      keep({
        // Typed back to what it was, or undone by the browser: no step.
        history: isBack ? { ...next, past: next.past.slice(0, -1), last: null } : next,
        now,
        // Screen readers say what is typed anyway.
        announcement: what === null ? `${says}.` : '',
      })
    },
    undo: step('past', 'Undone'),
    redo: step('future', 'Redone'),
    announcement: memory.announcement,
  }
}

/** With a step for what changed since the last one. A save only trims texts. */
function withOtherChanges<V extends Record<string, unknown>>(
  { history, now }: Memory<V>,
  values: V,
): History<Step<V>> {
  if (now === null || isEqual(now, values) || isEqual(trimmed(now), trimmed(values))) return history
  return remember(history, { values: now, says: 'other changes' }, null)
}

const trimmed = (values: object): unknown =>
  JSON.parse(
    JSON.stringify(values, (_, value: unknown) => (typeof value === 'string' ? value.trim() : value)),
  )
