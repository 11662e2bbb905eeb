import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { participantArea } from '#contract/assessments/participants/participant-area.ts'
import type { ParticipantLanguage } from '#contract/assessments/participants/participants.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { type Area, AreaContext, participantQueries } from './area.ts'
import { areaTexts, browserLanguage } from './area-texts.ts'
import { countKept } from './device-store.ts'
import { AreaMessage } from './AreaLayout.tsx'
import { NoLink } from './NoLink.tsx'
import { MyWork } from './MyWork.tsx'
import { OpenLink } from './OpenLink.tsx'
import {
  clearAddress,
  forgetLinkToken,
  type ParticipantSession,
  readLinkToken,
  readSession,
  storeSession,
} from './participant-session.ts'
import { QuestionnairePage } from './QuestionnairePage.tsx'
import '#web/ui/controls/controls.css'
import '#web/ui/form/forms.css'
import '#web/ui/controls/status.css'
import './participants.css'

const SAID_MS = 6_000

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
  const [language, setLanguage] = useState<string>(() => browserLanguage(navigator.languages))
  const navigate = useNavigate()
  useEffect(clearAddress, [])
  const text = areaTexts(browserLanguage([language]))

  if (stage.kind === 'session') {
    return (
      <SessionArea
        key={stage.session.accessToken}
        session={stage.session}
        language={language}
        setLanguage={setLanguage}
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
        chooseLanguage={setLanguage}
        onOpened={(session) => {
          forgetLinkToken()
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
  setLanguage: (language: string) => void
  onLeft: (waiting: number) => void
}

/** The questionnaires of the person who opened the link. */
function SessionArea({ session, language, setLanguage, onLeft }: SessionAreaProps) {
  const { participantId, accessToken: bearer } = session
  const [isEnded, setIsEnded] = useState(false)
  const [said, setSaid] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hasChosen = useRef(false)
  const { task } = useLocation({ select: ({ search }) => search })
  const text = areaTexts(browserLanguage([language]))
  const work = useQuery({
    queryKey: ['work', participantId],
    queryFn: async ({ signal }) => {
      try {
        const found = await call(participantArea.work, {}, { bearer, signal })
        // The language of the invitation, unless the person has chosen another one meanwhile.
        if (!hasChosen.current) setLanguage(found.language)
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
      hasChosen.current = true
      setLanguage(chosen)
      const own = browserLanguage([chosen])
      if (own === chosen) void saveLanguage(own, bearer)
    },
    isEnded,
    onEnded: () => setIsEnded(true),
    say: (sentence) => {
      setSaid(sentence)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setSaid(''), SAID_MS)
    },
    leave: () => void leave(session).then(onLeft),
  }
  return (
    <AreaContext value={area}>
      {task === undefined ? <MyWork work={work} /> : <QuestionnairePage key={task} targetId={task} />}
      <output className="fc-area-said">{said !== '' && <span>{said}</span>}</output>
    </AreaContext>
  )
}

/** For the emails that follow. Without a connection the choice is for this page only. */
async function saveLanguage(language: ParticipantLanguage, bearer: string): Promise<void> {
  await call(participantArea.setLanguage, { language }, { bearer }).catch((error: unknown) => {
    if (!(error instanceof CallFailure)) throw error
  })
}

/** Ends the session. Answers that were not sent stay on this device. @returns how many */
async function leave({ accessToken: bearer, participantId }: ParticipantSession): Promise<number> {
  await call(participantArea.signOut, {}, { bearer }).catch((error: unknown) => {
    // Without a connection it ends by itself.
    if (!(error instanceof CallFailure)) throw error
  })
  return [...(await countKept(participantId)).values()].reduce((sum, count) => sum + count, 0)
}
