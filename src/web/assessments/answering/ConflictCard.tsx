import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Question } from '#contract/questions/definition.ts'
import { type AnswerLanguage, showValue } from '#contract/questions/show-answer.ts'
import { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { type Change, combine } from './answer-queue.ts'
import type { AreaText } from './texts/area-texts.ts'
import type { Answering } from './answering.ts'
import styles from './ConflictCard.module.css'

type Props = {
  change: Change
  question: Question
  /** Of the answers. */
  words: AnswerLanguage
  /** Of the texts around them. */
  text: AreaText
  /** The reader. */
  name: string
  showTime: (at: number | string) => string
  answering: Pick<Answering, 'resolveConflict'>
  /** Adds the reader's answer as a comment, where one answer can't hold both. */
  comment: (text: string) => Promise<unknown>
}

/** Someone else changed the same answer: both versions with their authors, and the choice between them. */
export function ConflictCard({ change, question, words, text, name, showTime, answering, comment }: Props) {
  const { current, value, at, row } = change
  const shown = (answer: unknown): string =>
    showValue(question, { row, value: answer }, words) || text('empty')
  const combined = combine(question.type, current?.value ?? null, value)
  const keepBoth = useMutation({
    mutationFn: async () => {
      if (combined !== null) return answering.resolveConflict(change, 'both')
      await comment(text('myVersion', { text: shown(value) }).slice(0, 2_000))
      await answering.resolveConflict(change, 'theirs')
    },
  })
  const theirName = current === undefined || current.by === '' ? '–' : current.by
  const title = text('conflict', { name: theirName })
  const versions = [
    { label: text('mineIs'), by: [name, showTime(at)], answer: value },
    {
      label: text('theirsIs'),
      by: [theirName, current?.at ? showTime(current.at) : ''],
      answer: current?.value ?? null,
    },
  ]
  return (
    <fieldset className={styles.answerConflict} aria-label={title}>
      <p className={styles.title}>
        <IconAlertTriangle size={16} aria-hidden="true" />
        <strong>{title}</strong>
      </p>
      <dl>
        {versions.map(({ label, by, answer }) => (
          <div key={label}>
            <dt>
              {label} <span className="fc-soft">{by.filter(Boolean).join(', ')}</span>
            </dt>
            <dd>
              <bdi>{shown(answer)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {combined === null && (
        <p className="fc-small fc-soft">{`${text('keepBoth')}: ${text('bothAsComment')}`}</p>
      )}
      {keepBoth.error !== null && (
        <p role="alert" className="fc-question-error">
          <bdi>{sentenceOf(keepBoth.error, text)}</bdi>
        </p>
      )}
      <div className={styles.ways}>
        <Button variant="default" onClick={() => void answering.resolveConflict(change, 'mine')}>
          {text('keepMine')}
        </Button>
        <Button variant="default" onClick={() => void answering.resolveConflict(change, 'theirs')}>
          {text('keepTheirs')}
        </Button>
        <Button variant="default" loading={keepBoth.isPending} onClick={() => keepBoth.mutate()}>
          {text('keepBoth')}
        </Button>
      </div>
    </fieldset>
  )
}

function sentenceOf(error: unknown, text: AreaText): string {
  if (!(error instanceof CallFailure)) throw error
  return error.kind === 'offline' ? text('needsConnection') : error.message
}
