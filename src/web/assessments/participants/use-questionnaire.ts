import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import {
  participantArea,
  type ParticipantQuestionnaire,
} from '#contract/assessments/participants/participant-area.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import { evaluateAnswers } from '#contract/questions/evaluate.ts'
import { pickLanguage } from '#contract/questions/texts.ts'
import { CallFailure } from '#web/api/failure.ts'
import { useArea, useParticipantCall } from './area.ts'
import { answersOf } from './answer-drafts.ts'
import type { Change } from './answer-queue.ts'
import { SendFailure } from './answer-sync.ts'
import { AnswersStore } from './answers-store.ts'
import { holdChanges, type openDeviceStore } from './device-store.ts'
import type { TabClaim } from './use-tab-claim.ts'

export type Device = Awaited<ReturnType<typeof openDeviceStore>>

/** How often the page looks for what others have changed. */
const REFRESH_MS = 60_000
const SOON = new Set([408, 425, 429])

type Options = Readonly<{ first: ParticipantQuestionnaire; device: Device; claim: TabClaim }>
export type OpenQuestionnaire = ReturnType<typeof useQuestionnaire>

/** A questionnaire that is being answered: what the server has of it, what is typed, and the verdict on the answers. */
export function useQuestionnaire({ first, device, claim }: Options) {
  const { language, session } = useArea()
  const call = useParticipantCall()
  const client = useQueryClient()
  const { targetId } = first
  const queryKey = useMemo(() => ['questionnaire', session.participantId, targetId], [session, targetId])
  const { data: record } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(participantArea.get, { id: targetId }, { signal }),
    initialData: first,
    gcTime: 0,
    refetchInterval: REFRESH_MS,
  })
  const refresh = () => client.invalidateQueries({ queryKey })

  // A published version never changes, but what was delegated to the reader may.
  const { definition } = record
  const compiled = useMemo(() => compileDefinition(definition), [definition])
  const tag = pickLanguage(definition.languages, language)

  async function save(changes: readonly Change[], options: { keepalive: boolean }) {
    const mutations = changes.map(({ id, question, row, base, value }) => ({
      mutationId: id,
      questionCode: question,
      rowKey: row,
      base: base ?? 0,
      value,
    }))
    try {
      const saved = await call(participantArea.save, { targetId, mutations }, options)
      // Answers may open further questions, which only the server decides then.
      if (saved.state === 'changes_requested') void refresh()
      return saved
    } catch (error) {
      throw toSendFailure(error)
    }
  }
  const [store] = useState(
    () =>
      new AnswersStore({
        compiled,
        language: tag,
        answers: first.answers,
        kept: device.kept,
        parts: { store: device.store, now: Date.now, newId, random: Math.random, after },
        // What it calls is the same for the life of the session.
        save,
      }),
  )
  useEffect(() => store.take(record.answers), [store, record])
  useEffect(() => store.setLanguage(tag), [store, tag])
  useLifecycle(store, claim, (changes) => holdChanges(session.participantId, targetId, changes))

  const view = useSyncExternalStore(store.subscribe, store.view)
  // Kept for the life of the page, so that questions don't change at midnight.
  const [now] = useState(() => new Date())
  const evaluation = useMemo(() => {
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
    const answers = answersOf(compiled, view.drafts, view.language)
    return evaluateAnswers(compiled, answers, { language: tag, now, zone, setAside: true })
  }, [compiled, view.drafts, view.language, tag, now])
  return { record, refresh, compiled, tag, store, view, evaluation }
}

/** Sends what is left when the page is hidden or the connection returns, and keeps what was typed when it closes. */
function useLifecycle(
  store: AnswersStore,
  { setBeforeRelease }: TabClaim,
  hold: (changes: readonly Change[]) => void,
): void {
  const { setBeforeLeaving } = useArea()
  const register = useRef({ setBeforeRelease, setBeforeLeaving, hold })
  useEffect(() => {
    const { setBeforeRelease: onRelease, setBeforeLeaving: onLeave, hold: holdRest } = register.current
    onRelease(() => store.close())
    onLeave(() => store.sync.flush())
    const onHide = () => {
      if (document.visibilityState === 'hidden') void store.sync.flush({ keepalive: true })
    }
    // Without a database, closing the page would lose what was not sent.
    const onClose = (event: BeforeUnloadEvent) => {
      if (!store.sync.state().isKept && store.sync.countWaiting() > 0) event.preventDefault()
    }
    const onOnline = () => void store.sync.retry()
    document.addEventListener('visibilitychange', onHide)
    window.addEventListener('pagehide', onHide)
    window.addEventListener('beforeunload', onClose)
    window.addEventListener('online', onOnline)
    void store.sync.flush()
    return () => {
      document.removeEventListener('visibilitychange', onHide)
      window.removeEventListener('pagehide', onHide)
      window.removeEventListener('beforeunload', onClose)
      window.removeEventListener('online', onOnline)
      void store.close().then(() => {
        const { isKept, queue } = store.sync.state()
        holdRest(isKept ? [] : queue.changes)
      })
    }
  }, [store])
}

function toSendFailure(error: unknown): SendFailure {
  if (!(error instanceof CallFailure)) throw error
  const { kind, status, message } = error
  if (status === 401) return new SendFailure('ended', message)
  const isAway = kind !== 'refused' || status >= 500 || SOON.has(status)
  return new SendFailure(isAway ? 'away' : 'blocked', message)
}

/** 128 random bits. Also without HTTPS, where `crypto.randomUUID` doesn't exist. */
const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}
