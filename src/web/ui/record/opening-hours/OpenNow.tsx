import { useEffect, useState } from 'react'
import { openingAt } from '#contract/open-now.ts'
import type { Holiday, OpeningHours } from '#contract/opening-hours.ts'
import { today } from '#contract/today.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { openingWords } from './opening-format.ts'

const REFRESH_MS = 30_000

/** In the local time of `zone`. */
export type OpeningTimes = Readonly<{ hours: OpeningHours; holidays: readonly Holiday[]; zone: string }>

/** Whether a place is open now, in its local time, and until when. Updates over time. */
export function OpenNow({ times }: { times: OpeningTimes }) {
  const session = useSessionOwner()
  const [now, setNow] = useState(() => new Date(session.now))
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date(session.now)), REFRESH_MS)
    return () => clearInterval(timer)
  }, [session])
  const opening = openingAt(times, now)
  const words = openingWords(opening, today(times.zone, now))
  if (words === null) return <span className="fc-faint">No hours yet</span>
  return (
    <Status
      tone={opening.state === 'open' ? 'good' : 'mute'}
      mark={opening.state === 'open' ? 'check' : 'dash'}
    >
      <bdi>{words}</bdi>
    </Status>
  )
}
