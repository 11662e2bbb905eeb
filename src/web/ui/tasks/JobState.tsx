import { JOB_LIST } from '#contract/jobs/job-list.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import { Status } from '../controls/Status.tsx'

const NAMES = new Map<string, string>(
  JOB_LIST.fields.state.choices?.map(({ value, label }) => [value, label]),
)

const LOOKS = {
  waiting: { tone: 'mute', mark: 'wait' },
  running: { tone: 'info', mark: 'half' },
  done: { tone: 'good', mark: 'check' },
  failed: { tone: 'bad', mark: 'cross' },
  canceled: { tone: 'mute', mark: 'dash' },
} as const

/** The status of a job. A job with rejected rows is done, with a warning. */
export function JobState({ of, isPill = false }: { of: Pick<Job, 'state' | 'failures'>; isPill?: boolean }) {
  const { state, failures } = of
  const look = state === 'done' && failures > 0 ? ({ tone: 'warn', mark: 'alert' } as const) : LOOKS[state]
  return (
    <Status {...look} isPill={isPill}>
      {NAMES.get(state) ?? state}
    </Status>
  )
}
