import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { StoredAnswer } from '#contract/assessments/targets/answer-schema.ts'
import {
  participantArea,
  type ParticipantQuestionnaire,
} from '#contract/participants/area/participant-area.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import { evaluateAnswers } from '#contract/questions/evaluate.ts'
import { pickLanguage } from '#contract/questions/texts.ts'
import { again } from '#web/api/live.ts'
import { toAnswers } from '#web/questions/draft-answers.ts'
import { useArea, useParticipantCall } from '../area.ts'
import { newId } from '#web/api/new-id.ts'
import {
  type SyncParts,
  plainDrafts,
  Answering,
  PageUse,
  questionsInNeed,
  usePresence,
  useSameVersion,
  toMutation,
  toResult,
  toSendFailure,
  type Device,
  holdChanges,
  type FileSync,
  after,
  type TabClaim,
} from '#web/assessments/index.ts'
import { useFiles } from '../use-files.ts'

/** How often the page looks for what others have changed. */
const REFRESH_MS = 60_000

type Options = Readonly<{
  first: ParticipantQuestionnaire
  device: Device
  claim: TabClaim
  /** Opens the page again, with the questions of another version. */
  reopen: () => void
}>
export type OpenQuestionnaire = ReturnType<typeof useQuestionnaire>

/** A questionnaire that is being answered: what the server has of it, what is typed, and the verdict on the answers. */
export function useQuestionnaire({ first, device, claim, reopen }: Options) {
  const { language, session } = useArea()
  const call = useParticipantCall()
  const client = useQueryClient()
  const { targetId } = first
  const [use] = useState(() => new PageUse())
  useEffect(() => use.follow(), [use])
  const queryKey = useMemo(() => ['questionnaire', session.participantId, targetId], [session, targetId])
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(participantArea.get, { id: targetId }, { signal }),
    initialData: first,
    gcTime: 0,
    // Each of these calls counts as use of the session, which must end when no one is there.
    ...again({ while: () => use.isUsed(), ms: REFRESH_MS }),
  })
  const refresh = () => client.invalidateQueries({ queryKey })
  const { record, isMoved } = useSameVersion(data, ({ version }) => version)

  // A published version never changes, but what was delegated to the reader may.
  const { definition } = record
  const compiled = useMemo(() => compileDefinition(definition), [definition])
  const tag = pickLanguage(definition.languages, language)

  /** What the server answered to changes. */
  const [saved, setSaved] = useState<readonly StoredAnswer[]>([])
  const send: SyncParts['send'] = async (changes, options) => {
    try {
      const input = { targetId, mutations: changes.map(toMutation) }
      const { results, state } = await call(participantArea.save, input, options)
      setSaved((former) => [...former, ...results.flatMap(({ current }) => current ?? [])])
      // Answers may open further questions, which only the server decides then.
      if (state === 'changes_requested') void refresh()
      return results.map(toResult)
    } catch (error) {
      throw toSendFailure(error)
    }
  }
  const [answering] = useState(
    () =>
      new Answering({
        compiled,
        language: tag,
        answers: first.answers,
        kept: device.kept,
        // What `send` calls is the same for the life of the session.
        parts: { store: device.store, send, now: Date.now, newId, random: Math.random, after },
      }),
  )
  useEffect(() => {
    if (isMoved) void answering.sync.keepTyped().then(reopen)
  }, [answering, isMoved, reopen])
  const { answers } = record
  useEffect(() => answering.receive(answers), [answering, answers])
  useEffect(() => answering.setLanguage(tag), [answering, tag])
  const { files, fileState } = useFiles({ targetId, device, answering, refresh })
  useLifecycle({ answering, files }, claim, (rest) => holdChanges(session.participantId, targetId, rest))

  const view = useSyncExternalStore(answering.subscribe, answering.state)
  const stored = useMemo(() => [...answers, ...saved], [answers, saved])
  // Kept for the life of the page, so that questions don't change at midnight.
  const [now] = useState(() => new Date())
  const { language: written } = answering
  const evaluation = useMemo(() => {
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
    const given = toAnswers(compiled, plainDrafts(compiled, view.drafts), written)
    return evaluateAnswers(compiled, given, { language: tag, now, zone, setAside: true })
  }, [compiled, view.drafts, written, tag, now])
  /** The question with the focus, and who else is here. */
  const [focused, setFocused] = useState<string | null>(null)
  const present = usePresence(focused, (visit, options) =>
    call(participantArea.reportPresence, { targetId, ...visit }, options),
  )
  /** The questions with answers or files that a person must decide about. */
  const refused = fileState.files.filter(({ state }) => state === 'refused')
  const inNeed = [...new Set([...questionsInNeed(view.sync), ...refused.map(({ question }) => question)])]
  /** Answers and files that wait to be sent. */
  const waiting = answering.sync.countWaiting() + files.countWaiting()
  return {
    record,
    refresh,
    compiled,
    tag,
    answering,
    view,
    stored,
    evaluation,
    files,
    fileState,
    present,
    focused,
    focus: setFocused,
    inNeed,
    waiting,
    isKept: view.sync.isKept && fileState.isKept,
  }
}

type Queues = Readonly<{
  answering: Answering
  files: Pick<FileSync<unknown>, 'state' | 'flush' | 'retry' | 'stop' | 'countWaiting'>
}>

/** Sends what is left when the page is hidden or the connection returns, and keeps what was typed when it closes. */
function useLifecycle(
  { answering, files }: Queues,
  { setBeforeRelease }: TabClaim,
  hold: (rest: Parameters<typeof holdChanges>[2]) => void,
): void {
  const { setBeforeLeaving } = useArea()
  const register = useRef({ setBeforeRelease, setBeforeLeaving, hold })
  useEffect(() => {
    const { sync } = answering
    /** Keeps what was typed, and leaves the rest to the page that opens next. */
    const close = async () => {
      files.stop()
      await sync.keepTyped()
      sync.stop()
    }
    const { setBeforeRelease: onRelease, setBeforeLeaving: onLeave, hold: holdRest } = register.current
    onRelease(close)
    onLeave(async () => {
      await files.flush()
      await sync.flush()
    })
    const onHide = () => {
      if (document.visibilityState === 'hidden') void sync.flush({ keepalive: true })
    }
    // Without a database, closing the page would lose what was not sent.
    const onClose = (event: BeforeUnloadEvent) => {
      const isLost = !sync.state().isKept && sync.countWaiting() > 0
      if (isLost || (!files.state().isKept && files.countWaiting() > 0)) event.preventDefault()
    }
    const onOnline = () => {
      void sync.retry()
      void files.retry()
    }
    document.addEventListener('visibilitychange', onHide)
    window.addEventListener('pagehide', onHide)
    window.addEventListener('beforeunload', onClose)
    window.addEventListener('online', onOnline)
    void sync.flush()
    void files.flush()
    return () => {
      document.removeEventListener('visibilitychange', onHide)
      window.removeEventListener('pagehide', onHide)
      window.removeEventListener('beforeunload', onClose)
      window.removeEventListener('online', onOnline)
      void close().then(() => {
        const { isKept, queue } = sync.state()
        holdRest({
          changes: isKept ? [] : queue.changes,
          files: files.state().isKept ? [] : files.state().files,
        })
      })
    }
  }, [answering, files])
}
