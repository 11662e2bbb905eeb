import { IconCircleDashed } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Job } from '#contract/jobs/jobs.ts'
import { isOver, latestEnd } from '#web/ui/tasks/job-labels.ts'
import { lookAtJobs, useLookedAt } from '#web/ui/tasks/looked-at.ts'
import { useLatestJobs } from '#web/ui/tasks/use-jobs.ts'
import './jobs-link.css'

/** Before every instant. */
const NEVER = '0'

/** The way to the jobs; says how many of the own ones go on, and whether one ended that was not looked at yet. */
export function JobsLink() {
  // Silent when it cannot be had: it is nothing anybody asked for.
  const { data } = useLatestJobs()
  const lookedAt = useLookedAt()
  const hasCome = useRef(false)
  useEffect(() => {
    if (!data || hasCome.current) return
    hasCome.current = true
    // What ended before the person came is no news.
    if (lookedAt === '') lookAtJobs(latestEnd(data.results) ?? NEVER)
  }, [data, lookedAt])
  const mine = data?.results.filter(({ isMine }) => isMine) ?? []
  const going = mine.filter((job) => !isOver(job)).length
  const isNews = ({ endedAt }: Job) => lookedAt !== '' && endedAt !== null && endedAt > lookedAt
  const news = mine.filter(isNews).length
  const facts = [going > 0 && `${going} going on`, news > 0 && `${news} ended`].filter(Boolean)
  return (
    <Link
      to="/jobs"
      className="fc-icon-link fc-jobs-link"
      aria-label={['Jobs', ...facts].join(', ')}
      title="Jobs"
      {...(facts.length === 0 && { 'data-quiet': true })}
    >
      <IconCircleDashed size={18} stroke={1.6} {...(going > 0 && { className: 'fc-turning' })} />
      {news > 0 && <span className="fc-jobs-pip" />}
    </Link>
  )
}
