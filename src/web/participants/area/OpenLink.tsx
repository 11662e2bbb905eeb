import { Button } from '@mantine/core'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { call } from '#web/api/client.ts'
import { useMutation } from '#web/api/mutation.ts'
import { useSession } from '#web/session/use-session.ts'
import { sentenceOf } from './area.ts'
import { areaTexts, browserLanguage } from '#web/assessments/index.ts'
import { AreaMessage } from './AreaLayout.tsx'
import { clearLinkToken, type ParticipantSession } from './participant-session.ts'

type Props = {
  token: string
  language: string
  chooseLanguage: (language: string) => void
  onOpened: (session: ParticipantSession) => void
}

/** Begins the session. A button does it, because scanners of emails open every link. */
export function OpenLink({ token, language, chooseLanguage, onOpened }: Props) {
  const { claims } = useSession()
  const text = areaTexts(browserLanguage([language]))
  const open = useMutation({
    mutationFn: () => call(participantArea.open, { token }),
    onSuccess: onOpened,
    onError: ({ status }) => {
      if (status === 404) clearLinkToken()
    },
  })
  if (open.error?.status === 404) {
    return (
      <AreaMessage title={text('deadTitle')} language={language} chooseLanguage={chooseLanguage}>
        <p role="alert">{text('deadText')}</p>
      </AreaMessage>
    )
  }
  return (
    <AreaMessage title={text('welcomeTitle')} language={language} chooseLanguage={chooseLanguage}>
      <p>{text('welcomeText')}</p>
      {claims !== null && (
        <p className="fc-soft">{text('staffNote', { name: claims.impersonateUserName })}</p>
      )}
      {open.error !== null && (
        <p role="alert" className="fc-area-problem">
          {sentenceOf(open.error, text)}
        </p>
      )}
      <Button size="md" loading={open.isPending} onClick={() => open.mutate()}>
        {text(open.error === null ? 'open' : 'retry')}
      </Button>
    </AreaMessage>
  )
}
