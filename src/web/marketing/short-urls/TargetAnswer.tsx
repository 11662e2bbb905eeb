import {
  BROKEN_ANSWERS,
  TARGET_ANSWERS,
  type TargetAnswer as Answer,
  type TargetCheck,
} from '#contract/marketing/short-urls/short-urls.ts'
import { labelOf } from '#contract/record.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'

const BROKEN = { tone: 'bad', mark: 'cross' } as const
const LOOKS = {
  ok: { tone: 'good', mark: 'check' },
  elsewhere: { tone: 'info', mark: 'half' },
  refused: { tone: 'mute', mark: 'dash' },
  gone: BROKEN,
  failed: BROKEN,
  certificate: BROKEN,
  unreachable: BROKEN,
} as const satisfies Record<Answer, object>

/** What a web address answered when it was checked last, such as "Answers 404 since May 3". */
export function TargetAnswer({ check }: { check: TargetCheck }) {
  return <Status {...LOOKS[check.answer]}>{describeCheck(check)}</Status>
}

/** An answer in a few words. One that is broken has the day since when it is. */
function describeCheck({ answer, status, since }: TargetCheck): string {
  const label = labelOf(TARGET_ANSWERS, answer)
  if (!BROKEN_ANSWERS.includes(answer)) return label
  return `${status === null ? label : `Answers ${status}`} since ${formatDay(since)}`
}
