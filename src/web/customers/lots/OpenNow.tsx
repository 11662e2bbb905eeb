import { useEffect, useState } from 'react'
import { openingAt } from '#contract/customers/lots/open-now.ts'
import type { Lot } from '#contract/customers/lots/lots.ts'
import { today } from '#contract/today.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { openingWords } from './opening-format.ts'

const REFRESH_MS = 30_000

type Props = { lot: Pick<Lot, 'hours' | 'holidays' | 'zone'> }

/** Whether a lot is open now, in its local time, and until when. Updates over time. */
export function OpenNow({ lot }: Props) {
  const session = useSessionOwner()
  const [now, setNow] = useState(() => new Date(session.now))
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date(session.now)), REFRESH_MS)
    return () => clearInterval(timer)
  }, [session])
  const opening = openingAt(lot, now)
  const words = openingWords(opening, today(lot.zone, now))
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
