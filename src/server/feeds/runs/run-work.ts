import type { Member } from '#server/http/actor.ts'
import type { TaskWork } from '#server/queue/job-kind.ts'

/** What processes a run: a job, or the demo data, which needs none. */
export type RunWork = Pick<TaskWork<unknown>, 'step' | 'tell'> & {
  actor: Pick<Member, 'customerId' | 'organizationId' | 'reach' | 'timeZone' | 'may' | 'fullName'>
}
