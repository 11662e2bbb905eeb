import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { SavedAnswers } from '#contract/assessments/targets/answer-schema.ts'
import { assessmentTargets, type TargetRecord } from '#contract/assessments/targets/targets.ts'
import { type CompiledDefinition, compileDefinition } from '#contract/questions/compile.ts'
import { evaluateAnswers, type Evaluation } from '#contract/questions/evaluate.ts'
import { pickLanguage } from '#contract/questions/texts.ts'
import { query } from '#web/api/query.ts'
import { toAnswers } from '#web/questions/draft-answers.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { plainDrafts } from '../answering/answer-cells.ts'
import { Answering, type AnsweringState } from '../answering/answering.ts'
import { savePartsOf } from '../answering/save-parts.ts'
import { useAnswering } from '../answering/use-answering.ts'
import type { Device } from '../answering/device-store.ts'
import type { TabClaim } from '../answering/use-tab-claim.ts'
import { questionsInNeed } from '../answering/answer-sync.ts'
import { openProblems, type ShownSection, showSections } from './target-view.ts'

/** Everything about the answers that the parts of the page share. */
export type TargetState = Readonly<{
  record: TargetRecord
  compiled: CompiledDefinition
  language: string
  answering: Answering
  state: AnsweringState
  evaluation: Evaluation
  sections: readonly ShownSection[]
  /** One for each question that must be corrected before the answers can be submitted. */
  problems: ReturnType<typeof openProblems>
  /** Shows an answer of the server, after an action. */
  keep: (record: TargetRecord) => void
}>

/** How answers of a target are shown in words. */
export function wordsOf({
  record,
  compiled,
  language,
}: Pick<TargetState, 'record' | 'compiled' | 'language'>) {
  const { languages } = compiled.definition
  return { tag: language, all: languages, facilities: record.facilities, isMultiline: true } as const
}

/** The answers of a target while they are entered: kept on this device, sent, and evaluated as the server does. */
export function useTarget(record: TargetRecord, device: Device, claim: TabClaim): TargetState {
  const queries = useQueryClient()
  const { now } = useSessionOwner()
  // Kept for the life of the page, so that questions don't change at midnight.
  const [opened] = useState(() => new Date(now))
  const { id, definition, zone } = record
  const { queryKey } = query(assessmentTargets.get, { id })
  const compiled = useMemo(() => compileDefinition(definition), [definition])
  const language = pickLanguage(definition.languages, navigator.language)
  const onSaved = (saved: SavedAnswers) => {
    const before = queries.getQueryData(queryKey)
    if (before === undefined) return
    queries.setQueryData(queryKey, { ...before, ...savedIn(before, saved) })
    // The score, and which questions are open, are only in the record.
    const isOther =
      saved.state !== before.state ||
      saved.score !== before.score ||
      saved.evaluation.visible.join() !== before.evaluation.visible.join()
    if (isOther) void queries.invalidateQueries({ queryKey })
  }
  const [answering] = useState(
    () =>
      new Answering({
        compiled,
        language,
        answers: record.answers,
        kept: device.kept,
        parts: savePartsOf(id, { store: device.store, onSaved }),
      }),
  )
  useEffect(() => answering.receive(record.answers), [answering, record.answers])
  const { setBeforeRelease } = claim
  useEffect(() => {
    // Another tab, or the page that opens next, continues with what the device kept.
    setBeforeRelease(async () => {
      await answering.sync.flush()
      answering.sync.stop()
    })
  }, [answering, setBeforeRelease])
  const state = useAnswering(answering)
  const evaluation = useMemo(
    () =>
      evaluateAnswers(compiled, toAnswers(compiled, plainDrafts(compiled, state.drafts), language), {
        language,
        now: opened,
        zone,
        setAside: true,
      }),
    [compiled, state.drafts, language, opened, zone],
  )
  const sections = useMemo(
    () => showSections(compiled, evaluation, { flags: record.flags, inNeed: questionsInNeed(state.sync) }),
    [compiled, evaluation, record.flags, state.sync],
  )
  const problems = useMemo(() => openProblems(evaluation), [evaluation])
  const keep = (next: TargetRecord) => queries.setQueryData(queryKey, next)
  return { record, compiled, language, answering, state, evaluation, sections, problems, keep }
}

/** What the response of a save says about the record. The questions that are open are not in it. */
function savedIn({ answers }: TargetRecord, saved: SavedAnswers): Partial<TargetRecord> {
  const { state, questions, answered, required, requiredAnswered, results } = saved
  const keyOf = (one: { questionCode: string; rowKey: string }) => `${one.questionCode} ${one.rowKey}`
  const current = new Map(
    results.flatMap((one) => (one.current === null ? [] : [[keyOf(one.current), one.current] as const])),
  )
  const known = new Set(answers.map(keyOf))
  return {
    state,
    questions,
    answered,
    required,
    requiredAnswered,
    answers: [
      ...answers.map((one) => current.get(keyOf(one)) ?? one),
      ...[...current.values()].filter((one) => !known.has(keyOf(one))),
    ],
  }
}
