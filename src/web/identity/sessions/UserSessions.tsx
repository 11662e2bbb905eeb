import { IconDeviceDesktopOff } from '@tabler/icons-react'
import { sessions } from '#contract/identity/sessions/sessions.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { SessionList } from './SessionList.tsx'
import { SignInHistory } from './SignInHistory.tsx'

const endOne = send(sessions.endOfUser)
const endAll = send(sessions.endSessionsOfUser)
const reload = () => queryClient.invalidateQueries({ queryKey: keyOf(sessions.ofPerson) })

type Props = { user: { id: string; name: string; lock: string | null } }

/** A user's sessions and sign-ins, for administrators who may see them. */
export function UserSessions({ user }: Props) {
  return (
    <div className="fc-user-body">
      <OpenSessions user={user} />
      <SignInHistory id={user.id} />
    </div>
  )
}

function OpenSessions({ user: { id, name, lock } }: Props) {
  const end = useMutation({ mutationFn: endOne, onError: (failure) => showError(failure), onSettled: reload })
  const all = useMutation({
    mutationFn: endAll,
    onSuccess: () => toast('Signed out everywhere', name),
    onError: (failure) => showError(failure),
    onSettled: reload,
  })

  async function confirmAll() {
    const isSure = await ask({
      title: `Sign ${name} out everywhere?`,
      text: "This ends all of their sessions now. They'll lose unsaved changes.",
      confirm: 'Sign out everywhere',
      isDestructive: true,
    })
    if (isSure) all.mutate({ id })
  }

  return (
    <Loaded
      query={query(sessions.ofPerson, { id })}
      what="these sessions"
      shape="spinner"
      label="Loading sessions"
    >
      {(data) => {
        if (data.length === 0) {
          return (
            <EmptyState
              icon={<IconDeviceDesktopOff size={18} />}
              title="Not signed in anywhere"
              text="This user's active sessions appear here until they sign out or time out."
            />
          )
        }
        return (
          <div>
            <div className="fc-session-tools">
              <Action
                for={sessions.endSessionsOfUser}
                lock={lock}
                variant="default"
                className="fc-quiet-danger"
                loading={all.isPending}
                onClick={() => void confirmAll()}
              >
                Sign out everywhere
              </Action>
            </div>
            <SessionList
              label={`Sessions of ${name}`}
              sessions={data}
              endpoint={sessions.endOfUser}
              lock={lock}
              busyId={end.isPending ? end.variables.sessionId : null}
              onEnd={(session) => end.mutate({ id, sessionId: session.id })}
            />
          </div>
        )
      }}
    </Loaded>
  )
}
