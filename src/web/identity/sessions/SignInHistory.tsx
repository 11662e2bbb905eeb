import { sessions } from '#contract/identity/sessions/sessions.ts'
import { query } from '#web/api/query.ts'
import { Timeline } from '#web/ui/record/Timeline.tsx'

/** When, where and with what a user signed in, tried to, and signed out. */
export function SignInHistory({ id }: { id: string }) {
  return (
    <section aria-labelledby="fc-sign-ins">
      <div className="fc-session-tools">
        <h2 id="fc-sign-ins">Sign-ins</h2>
      </div>
      <Timeline
        query={query(sessions.history, { id })}
        what="the sign-ins"
        title="Sign-ins"
        className="fc-grow"
        entries={(signIns) =>
          signIns.map(({ at, what, address, device }) => ({
            at,
            what: <bdi>{what}</bdi>,
            by: <bdi>{[device, address].filter((one) => one !== null).join(', ')}</bdi>,
          }))
        }
        empty={<p className="fc-session-tools fc-small fc-soft">No sign-ins yet.</p>}
      />
    </section>
  )
}
