import { Button } from '@mantine/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ParticipantTask, ParticipantWork } from '#contract/participants/area/participant-area.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { showCalendarDay, useArea } from './area.ts'
import { AreaLayout } from './AreaLayout.tsx'
import { countKept } from '#web/assessments/index.ts'
import { StateOfTask } from './questionnaire/StateOfTask.tsx'
import styles from './MyWork.module.css'

type Props = { work: UseQueryResult<ParticipantWork> }

/** The questionnaires of a participant, the most urgent first. */
export function MyWork({ work: { data, error, refetch } }: Props) {
  const { text, session } = useArea()
  const kept = useQuery({
    queryKey: ['kept', session.participantId],
    queryFn: () => countKept(session.participantId),
    gcTime: 0,
  })
  return (
    <AreaLayout title={text('work')}>
      <div className={styles.areaList}>
        {data === undefined && error === null && <Spinner label={text('loading')} />}
        {data === undefined && error !== null && (
          <div role="alert" className="fc-area-problem">
            <p>{error.message}</p>
            <Button variant="default" onClick={() => void refetch()}>
              {text('retry')}
            </Button>
          </div>
        )}
        {data?.tasks.length === 0 && <p className="fc-soft">{text('noWork')}</p>}
        <ul>
          {data?.tasks.map((task) => (
            <TaskCard key={task.targetId} task={task} waiting={kept.data?.get(task.targetId) ?? 0} />
          ))}
        </ul>
      </div>
    </AreaLayout>
  )
}

function TaskCard({ task, waiting }: { task: ParticipantTask; waiting: number }) {
  const { text, language } = useArea()
  const { questions, answered, requestedChanges } = task
  return (
    <li className={styles.areaTask}>
      <h2>
        <Link to="/participants" search={{ task: task.targetId }}>
          <bdi>{task.assessmentName}</bdi>
        </Link>
      </h2>
      <p className="fc-soft">
        <bdi>{task.targetName}</bdi>
        {task.organizationName !== task.targetName && (
          <>
            {', '}
            <bdi>{task.organizationName}</bdi>
          </>
        )}
      </p>
      <p className={styles.areaFacts}>
        <StateOfTask task={task} />
        <span className={task.isOverdue ? 'fc-area-late' : 'fc-soft'}>
          {text(task.isOverdue ? 'overdue' : 'due', { date: showCalendarDay(task.dueOn, language) })}
        </span>
        <span className="fc-soft">{text('answered', { n: answered, m: questions })}</span>
      </p>
      {requestedChanges > 0 && <p className="fc-area-warn">{text('changes', { n: requestedChanges })}</p>}
      {waiting > 0 && <p className="fc-area-warn">{text('waiting', { n: waiting })}</p>}
    </li>
  )
}
