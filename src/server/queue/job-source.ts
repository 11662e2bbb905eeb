import { sql } from 'kysely'
import { JOB_LIST } from '#contract/jobs/job-list.ts'
import { containing } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { startedBy, visibleJobs } from './read-job.ts'

type JobField = keyof typeof JOB_LIST.fields

/** The list of jobs in SQL. */
export const jobSource: ListSource<JobField> = {
  list: JOB_LIST,
  from: sql`jobs`,
  within: visibleJobs,
  id: sql<string>`jobs.id`,
  title: sql<string>`jobs.title`,
  fields: {
    title: { value: sql`jobs.title`, isNeverNull: true },
    state: { value: sql`jobs.state`, isNeverNull: true },
    done: { value: sql`jobs.done`, isNeverNull: true },
    failures: { value: sql`jobs.failures`, isNeverNull: true },
    startedBy: { value: startedBy, isNeverNull: true },
    createdAt: { value: sql`jobs.created_at`, isNeverNull: true },
    endedAt: { value: sql`jobs.ended_at` },
  },
  search: (text) => sql<boolean>`concat_ws(' ', jobs.title, ${startedBy}) ilike ${containing(text)}`,
}
