import { IconPlayerPause } from '@tabler/icons-react'
import { outgoing } from '#contract/home/outgoing.ts'
import { health } from '#contract/home/health.ts'
import { RESTORED_COPY } from '#contract/restored-copy.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Says on every page of a restored copy that nothing leaves. Those who may see what waits get a link. */
export function RestoredCopyNotice() {
  const holds = useHolds()
  const maySee = holds(outgoing.get.allow) === true && holds(health.system.allow) === true
  return (
    <p className="fc-offline">
      <IconPlayerPause size={16} stroke={1.6} aria-hidden="true" />
      <span className="fc-grow">{RESTORED_COPY}</span>
      {maySee && <Link to="/administration/health">Show what waits</Link>}
    </p>
  )
}
