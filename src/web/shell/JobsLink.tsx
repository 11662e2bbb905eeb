import { IconCircleDashed } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { Job } from '#contract/jobs/jobs.ts'
import { isOver, latestEnd } from '#web/ui/tasks/job-labels.ts'
import { markJobsSeen, useJobsSeenAt } from '#web/ui/tasks/jobs-seen.ts'
import { useLatestJobs } from '#web/ui/tasks/use-jobs.ts'
import styles from './JobsLink.module.css'
import { Link } from '#web/ui/controls/Link.tsx'

/** Before every instant. */
const NEVER = '0'

/**
 * A link to the jobs; shows how many of the user's jobs are running, and whether one has ended since the last
 * visit.
 */
export function JobsLink() {
  // Ignores errors: the user didn't ask for this.
  const { data } = useLatestJobs()
  const lookedAt = useJobsSeenAt()
  const hasCome = useRef(false)
  useEffect(() => {
    if (!data || hasCome.current) return
    hasCome.current = true
    // Jobs that ended before the session aren't news.
    if (lookedAt === '') markJobsSeen(latestEnd(data.results) ?? NEVER)
  }, [data, lookedAt])
  const mine = data?.results.filter(({ isMine }) => isMine) ?? []
  const going = mine.filter((job) => !isOver(job)).length
  const isNews = ({ endedAt }: Job) => lookedAt !== '' && endedAt !== null && endedAt > lookedAt
  const news = mine.filter(isNews).length
  const facts = [going > 0 && `${going} running`, news > 0 && `${news} finished`].filter(Boolean)
  return (
    <Link
      to="/jobs"
      className={`fc-icon-link ${styles.jobsLink}`}
      aria-label={['Jobs', ...facts].join(', ')}
      title="Jobs"
      {...(facts.length === 0 && { 'data-quiet': true })}
    >
      <IconCircleDashed size={18} stroke={1.6} {...(going > 0 && { className: styles.turning })} />
      {news > 0 && <span className={styles.jobsPip} />}
    </Link>
  )
}
