import { Button } from '@mantine/core'
import { sessions } from '#contract/identity/sessions/sessions.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { nameOfSession, SessionList } from './SessionList.tsx'

const endOne = send(sessions.end)
const endAll = send(sessions.endAll)
const reload = () => queryClient.invalidateQueries({ queryKey: keyOf(sessions.own) })

/** The user's own sessions, with buttons to end one, the others, or all. */
export function SessionsPage() {
  const owner = useSessionOwner()
  const load = useLoad(query(sessions.own, {}))
  const { data } = load
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
      <Loaded query={load} what="your sessions" shape="spinner">
        {(loaded) => (
          <>
            <div className="fc-session-tools">
              {loaded.length > 1 && (
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
            <SessionList
              label="Your sessions"
              sessions={loaded}
              endpoint={sessions.end}
              busyId={end.isPending ? end.variables.id : null}
              onEnd={(session) =>
                end.mutate(
                  { id: session.id },
                  { onSuccess: () => toast('Signed out', nameOfSession(session)) },
                )
              }
            />
          </>
        )}
      </Loaded>
    </div>
  )
}
