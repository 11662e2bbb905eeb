import type { Member } from '#server/http/actor.ts'
import type { TaskWork } from '#server/jobs/job-kind.ts'

/** What works on a run: a job, or whoever does without one. */
export type RunWork = Pick<TaskWork<unknown>, 'step' | 'tell'> & {
  actor: Pick<Member, 'customerId' | 'organizationId' | 'reach' | 'timeZone' | 'may' | 'fullName'>
}
