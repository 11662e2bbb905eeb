import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OpenMail, outbox } from '#contract/mail/outbox/outbox.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { MailText } from '../MailText.tsx'
import { MailEvents } from './MailEvents.tsx'
import { MailFacts } from './MailFacts.tsx'

const reveal = send(outbox.reveal)
const sendAgain = send(outbox.sendAgain)

/** One mail: how far it came, its words, and the link in it for whoever may see it. */
export function MailDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isPending, refetch } = useQuery(query(outbox.get, { id }))
  // Never in the query cache: closing the drawer covers the link again.
  const [revealed, setRevealed] = useState<OpenMail | null>(null)
  const revealing = useMutation({
    mutationFn: reveal,
    onSuccess: setRevealed,
    onError: (failure) => showError(failure),
  })
  const sending = useMutation({
    mutationFn: sendAgain,
    onSuccess: async ({ toEmail }) => {
      toast('Mail is back in line', toEmail)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keyOf(outbox.list) }),
        queryClient.invalidateQueries({ queryKey: keyOf(outbox.get) }),
      ])
    },
    onError: (failure) => showError(failure),
  })
  const mail = data && (revealed ?? data)
  const canSend = data?.state === 'failed' || data?.state === 'kept'
  return (
    <FormDrawer
      title={data?.subject ?? 'Mail'}
      about={data && `Written ${formatAgo(data.createdAt)}`}
      size={560}
      onClose={onClose}
    >
      {error && !data && (
        <FailureState failure={error} endpoint={outbox.get} what="this mail" onRetry={() => void refetch()} />
      )}
      {isPending && <RecordSkeleton label="Loading the mail" shape="facts" />}
      {data && mail && (
        <div className="fc-form">
          <div className="fc-mail-body">
            <MailFacts mail={data} />
            <MailEvents mail={data} />
            <MailText mail={mail} isCovered={data.hasSecret && revealed === null} />
            {data.hasSecret && (
              <div className="fc-mail-secret">
                {revealed === null && (
                  <Action
                    for={outbox.reveal}
                    variant="default"
                    loading={revealing.isPending}
                    onClick={() => revealing.mutate({ id })}
                  >
                    Show the {secretIn(data)}
                  </Action>
                )}
                <p className="fc-small fc-faint">
                  <bdi>
                    {revealed === null
                      ? `The ${secretIn(data)} opens an account, so it is covered. Showing it is written in the audit log.`
                      : SHOWN[secretIn(data)]}
                  </bdi>
                </p>
              </div>
            )}
          </div>
          <div className="fc-form-footer">
            <span className="fc-grow" />
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            {canSend && (
              <Action
                for={outbox.sendAgain}
                loading={sending.isPending}
                onClick={() => sending.mutate({ id })}
              >
                Send again
              </Action>
            )}
          </div>
        </div>
      )}
    </FormDrawer>
  )
}

/** What is covered in the words: a link's end, or a code. */
const secretIn = ({ text }: OpenMail): keyof typeof SHOWN => (text.includes('#\u2022') ? 'link' : 'code')

const SHOWN = {
  link: 'Whoever has the link can set the password. That you saw it is written in the audit log.',
  code: 'Whoever has the code and the password can sign in. That you saw it is written in the audit log.',
} as const
