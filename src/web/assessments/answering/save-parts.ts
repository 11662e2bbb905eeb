import type { MutationResult, SavedAnswers } from '#contract/assessments/targets/answer-schema.ts'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import type { Change, Result } from './answer-queue.ts'
import { SendFailure, type SyncParts } from './answer-sync.ts'

/** A change as the server takes it. */
export function toMutation({ id, question, row, base, value, source }: Change) {
  return {
    mutationId: id,
    questionCode: question,
    rowKey: row,
    base: base ?? 0,
    value,
    ...(source !== undefined && { sourceTargetId: source }),
  }
}

/** The server's response to a change, as the queue takes it. */
export function toResult({ mutationId, status, rev, current, problem }: MutationResult): Result {
  if (status === 'accepted') return { id: mutationId, kind: 'accepted', rev: rev ?? 0 }
  if (status === 'refused') {
    return { id: mutationId, kind: 'refused', message: problem?.message ?? 'This answer was not accepted.' }
  }
  return {
    id: mutationId,
    kind: 'conflict',
    current: {
      value: current?.value ?? null,
      rev: current?.rev ?? 0,
      by: current?.answeredBy ?? '',
      at: current?.answeredAt ?? '',
    },
  }
}

/** Why answers were not sent: without a connection, and after errors of the server, they are sent again. */
export function toSendFailure(error: unknown): unknown {
  if (!(error instanceof CallFailure)) return error
  const { kind, status, message } = error
  if (status === 401) return new SendFailure('ended', message)
  const isAway = kind !== 'refused' || status >= 500 || status === 429 || status === 408
  return new SendFailure(isAway ? 'away' : 'blocked', message)
}

/** Saves answers as a signed-in user. */
export function savePartsOf(
  targetId: string,
  { store, onSaved }: { store: SyncParts['store']; onSaved: (saved: SavedAnswers) => void },
): SyncParts {
  return {
    store,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    random: () => Math.random(),
    after(ms, work) {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
    async send(changes, { keepalive }) {
      try {
        const input = { targetId, mutations: changes.map(toMutation) }
        const saved = await call(assessmentAnswers.save, input, { keepalive })
        onSaved(saved)
        return saved.results.map(toResult)
      } catch (error) {
        throw toSendFailure(error)
      }
    },
  }
}
