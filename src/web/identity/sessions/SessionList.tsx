import { IconDeviceDesktop, IconDeviceMobile, IconEye } from '@tabler/icons-react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { OpenSession } from '#contract/identity/sessions/sessions.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import './sessions.css'

type Props = {
  label: string
  sessions: readonly OpenSession[]
  /** The call that ends one of them. */
  endpoint: Endpoint
  /** Why none of them can be ended, as a sentence. */
  lock?: string | null
  /** ID of the session being ended. */
  busyId: string | null
  onEnd: (session: OpenSession) => void
}

const exactTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })

/** Active sessions: device, address, start and last activity. */
export function SessionList({ label, sessions, endpoint, lock = null, busyId, onEnd }: Props) {
  return (
    <ul className="fc-sessions" aria-label={label}>
      {sessions.map((session) => (
        <li key={session.id}>
          <DeviceIcon session={session} />
          <div className="fc-grow">
            <div className="fc-session-name">
              <bdi>{nameOfSession(session)}</bdi>
              {session.isCurrent && <span className="fc-badge fc-tint-good">This session</span>}
              {session.isViewOnly && <span className="fc-badge fc-tint-mute">View only</span>}
            </div>
            <div className="fc-second">
              {session.as !== null && (
                <>
                  Impersonating <bdi>{session.as}</bdi>.{' '}
                </>
              )}
              {session.ip !== null && (
                <>
                  <bdi>{session.ip}</bdi>,{' '}
                </>
              )}
              signed in <Moment of={session.startedAt} />, last active <Moment of={session.lastActiveAt} />
            </div>
          </div>
          {!session.isCurrent && (
            <Action
              for={endpoint}
              lock={lock}
              variant="default"
              size="xs"
              aria-label={`Sign out ${nameOfSession(session)}`}
              loading={busyId === session.id}
              onClick={() => onEnd(session)}
            >
              Sign out
            </Action>
          )}
        </li>
      ))}
    </ul>
  )
}

/** "Firefox on Windows"; for an impersonation, the name of the impersonator. */
export function nameOfSession({ device, by }: OpenSession): string {
  return by === null ? (device ?? 'Unknown device') : `${by}, impersonating this user`
}

function DeviceIcon({ session: { device, by } }: { session: OpenSession }) {
  if (by !== null) return <IconEye size={20} stroke={1.6} aria-hidden="true" />
  const isPhone = /iPhone|iPad|Android/.test(device ?? '')
  const Icon = isPhone ? IconDeviceMobile : IconDeviceDesktop
  return <Icon size={20} stroke={1.6} aria-hidden="true" />
}

function Moment({ of }: { of: string }) {
  return (
    <time dateTime={of} title={exactTime.format(new Date(of))}>
      {formatAgo(of)}
    </time>
  )
}
