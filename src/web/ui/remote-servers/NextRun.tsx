import { WAITS_IN_COPY } from '#contract/restored-copy.ts'
import { useRestoredCopy } from '#web/session/use-restored-copy.ts'
import { formatNextRun, isDue } from './schedule.ts'

type Props = {
  at: string | null
  /** Sends or fetches something, so that it waits in a restored copy. */
  isOutgoing: boolean
}

/** The time of the next run, or that it waits. */
export function NextRun({ at, isOutgoing }: Props) {
  const isCopy = useRestoredCopy()
  return isCopy && isOutgoing && isDue(at) ? WAITS_IN_COPY : formatNextRun(at)
}
