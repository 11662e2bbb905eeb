import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { type Area, AreaContext, participantQueries } from './area.ts'
import { areaTexts, browserLanguage, countKept } from '#web/assessments/index.ts'
import { AreaMessage } from './AreaLayout.tsx'
import { MyWork } from './MyWork.tsx'
import { OpenLink } from './OpenLink.tsx'
import {
  clearAddress,
  clearLinkToken,
  type ParticipantSession,
  readLinkToken,
  readSession,
  storeSession,
} from './participant-session.ts'
import { QuestionnairePage } from './questionnaire/QuestionnairePage.tsx'
import '#web/ui/controls/controls.css'
import '#web/ui/layout/texts.css'
import '#web/ui/form/forms.css'
import '#web/ui/controls/status.css'
import './participants.css'
import { holds } from '#contract/permissions.ts'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { useSession } from '#web/session/use-session.ts'

const SAID_MS = 6_000
/** How long leaving waits for answers that are being sent. */
const PATIENCE_MS = 3_000

type Stage =
  | { kind: 'link'; token: string }
  | { kind: 'session'; session: ParticipantSession }
  /** `waiting`: answers on this device that were not sent. */
  | { kind: 'left'; waiting: number }
  | { kind: 'none' }

function firstStage(): Stage {
  const token = readLinkToken()
  if (token !== '') return { kind: 'link', token }
  const session = readSession()
  return session === null ? { kind: 'none' } : { kind: 'session', session }
}

/**
 * The page of people who were invited to answer questions. Without an account and without navigation (specification, section
 * 2). The token of the link is in the fragment: it is removed from the address bar at once, and only a POST sends it.
 */
export function ParticipantsPage() {
  // Another link in the same tab changes the fragment only.
  const { hash } = useLocation()
  return (
    <QueryClientProvider client={participantQueries}>
      <Stages key={hash} />
    </QueryClientProvider>
  )
}

function Stages() {
  const [stage, setStage] = useState(firstStage)
  // That of the invitation once it is known, unless the person has chosen another one.
  const [offered, setOffered] = useState<string>(() => browserLanguage(navigator.languages))
  const [chosen, setChosen] = useState<string | null>(null)
  const language = chosen ?? offered
  const navigate = useNavigate()
  useEffect(clearAddress, [])
  const text = areaTexts(browserLanguage([language]))

  if (stage.kind === 'session') {
    return (
      <SessionArea
        key={stage.session.accessToken}
        session={stage.session}
        language={language}
        chooseLanguage={setChosen}
        onInvited={setOffered}
        onLeft={(waiting) => {
          participantQueries.clear()
          storeSession(null)
          setStage({ kind: 'left', waiting })
        }}
      />
    )
  }
  if (stage.kind === 'link') {
    return (
      <OpenLink
        token={stage.token}
        language={language}
        chooseLanguage={setChosen}
        onOpened={(session) => {
          if (chosen !== null) void saveLanguage(chosen, session.accessToken)
          clearLinkToken()
          // Another person may have used this tab before.
          participantQueries.clear()
          storeSession(session)
          setStage({ kind: 'session', session })
          void navigate({ to: '/participants', search: { task: session.targetId }, replace: true })
        }}
      />
    )
  }
  if (stage.kind === 'left') {
    return (
      <AreaMessage title={text('leftTitle')} language={language}>
        {stage.waiting > 0 && <p>{text('leftWaiting', { n: stage.waiting })}</p>}
        <p>{text('leftText')}</p>
      </AreaMessage>
    )
  }
  return <NoLink language={language} />
}

type SessionAreaProps = {
  session: ParticipantSession
  language: string
  chooseLanguage: (language: string) => void
  /** Called with the language of the invitation. */
  onInvited: (language: string) => void
  onLeft: (waiting: number) => void
}

/** The questionnaires of the person who opened the link. */
function SessionArea({ session, language, chooseLanguage, onInvited, onLeft }: SessionAreaProps) {
  const { participantId, accessToken: bearer } = session
  const [isEnded, setIsEnded] = useState(false)
  const [said, setSaid] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const beforeLeaving = useRef<() => Promise<void>>(async () => {})
  const { task } = useLocation({ select: ({ search }) => search })
  const text = areaTexts(browserLanguage([language]))
  const work = useQuery({
    queryKey: ['work', participantId],
    queryFn: async ({ signal }) => {
      try {
        const found = await call(participantArea.work, {}, { bearer, signal })
        onInvited(found.language)
        return found
      } catch (error) {
        if (error instanceof CallFailure && error.status === 401) setIsEnded(true)
        throw error
      }
    },
  })

  const area: Area = {
    session,
    name: work.data?.name ?? '',
    language,
    text,
    chooseLanguage: (chosen) => {
      chooseLanguage(chosen)
      void saveLanguage(chosen, bearer)
    },
    isEnded,
    onEnded: () => setIsEnded(true),
    say: (sentence) => {
      setSaid(sentence)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setSaid(''), SAID_MS)
    },
    setBeforeLeaving: (toDo) => {
      beforeLeaving.current = toDo
    },
    leave: () => void leave(session, beforeLeaving.current).then(onLeft),
  }
  return (
    <AreaContext value={area}>
      {task === undefined ? <MyWork work={work} /> : <QuestionnairePage key={task} targetId={task} />}
      <output className="fc-area-said">{said !== '' && <span>{said}</span>}</output>
    </AreaContext>
  )
}

/** For the emails that follow, if they exist in this language. Without a connection the choice is for this page only. */
async function saveLanguage(chosen: string, bearer: string): Promise<void> {
  const language = browserLanguage([chosen])
  if (language !== chosen) return
  await call(participantArea.setLanguage, { language }, { bearer }).catch((error: unknown) => {
    if (!(error instanceof CallFailure)) throw error
  })
}

/** Ends the session. Answers that could not be sent stay on this device. @returns how many */
async function leave(
  { accessToken: bearer, participantId }: ParticipantSession,
  sendRest: () => Promise<void>,
): Promise<number> {
  await Promise.race([sendRest(), new Promise((done) => setTimeout(done, PATIENCE_MS))])
  await call(participantArea.signOut, {}, { bearer }).catch((error: unknown) => {
    // Without a connection it ends by itself.
    if (!(error instanceof CallFailure)) throw error
  })
  return [...(await countKept(participantId)).values()].reduce((sum, count) => sum + count, 0)
}

/** The page without a link. Staff learn where they manage participants (decision 151). */
function NoLink({ language }: { language: string }) {
  const text = areaTexts(browserLanguage([language]))
  const { claims, permissions } = useSession()
  const { allow } = assessments.list
  const maySee =
    permissions !== null && typeof allow === 'object' && 'func' in allow && holds(permissions, allow)
  return (
    <AreaMessage title={text('noLinkTitle')} language={language}>
      {claims === null ? (
        <p>{text('noLinkText')}</p>
      ) : (
        <p>{text('staffText', { name: claims.impersonateUserName })}</p>
      )}
      {maySee && (
        // A link of its own: the back office has another content security policy.
        <p>
          <a href="/assessments">{text('staffLink')}</a>
        </p>
      )}
    </AreaMessage>
  )
}
