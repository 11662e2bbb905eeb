import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { sessions } from '#contract/identity/sessions/sessions.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { nameOfSession, SessionList } from './SessionList.tsx'

const endOne = send(sessions.end)
const endAll = send(sessions.endAll)
const reload = () => queryClient.invalidateQueries({ queryKey: keyOf(sessions.own) })

/** The user's own sessions, with buttons to end one, the others, or all. */
export function SessionsPage() {
  const owner = useSessionOwner()
  const { data, error, isPending, refetch } = useQuery(query(sessions.own, {}))
  const end = useMutation({ mutationFn: endOne, onError: (failure) => showError(failure), onSettled: reload })
  const others = useMutation({
    mutationFn: () => endAll({ which: 'others' }),
    onSuccess: () => toast('Signed out everywhere else', 'You stay signed in here.'),
    onError: (failure) => showError(failure),
    onSettled: reload,
  })
  const all = useMutation({
    mutationFn: () => endAll({ which: 'all' }),
    onSuccess: () => owner.expire(),
    onError: (failure) => showError(failure),
  })

  async function confirmAll() {
    const isSure = await ask({
      title: 'Sign out everywhere?',
      text: 'This ends all of your sessions now, including this one.',
      confirm: 'Sign out everywhere',
      isDestructive: true,
    })
    if (isSure) all.mutate()
  }

  return (
    <div className="fc-list">
      <PageHeader
        title="Your sessions"
        context={data ? `${count(data.length, 'session', 'sessions')}, most recent first.` : ''}
      />
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={sessions.own}
          what="your sessions"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <Spinner label="Loading your sessions" />}
      {data && (
        <div className="fc-session-tools">
          {data.length > 1 && (
            <Button variant="default" loading={others.isPending} onClick={() => others.mutate()}>
              Sign out everywhere else
            </Button>
          )}
          <Button
            variant="default"
            className="fc-quiet-danger"
            loading={all.isPending}
            onClick={() => void confirmAll()}
          >
            Sign out everywhere
          </Button>
        </div>
      )}
      {data && (
        <SessionList
          label="Your sessions"
          sessions={data}
          endpoint={sessions.end}
          busyId={end.isPending ? end.variables.id : null}
          onEnd={(session) =>
            end.mutate({ id: session.id }, { onSuccess: () => toast('Signed out', nameOfSession(session)) })
          }
        />
      )}
    </div>
  )
}
