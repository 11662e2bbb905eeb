import type { Target } from '#contract/assessments/targets/targets.ts'
import { count, formatDay } from '#web/ui/layout/date-format.ts'

/** What is answered in all, when people were reminded last, and the keys of the page. */
export function BoardFooter({ targets, canSelect }: { targets: readonly Target[]; canSelect: boolean }) {
  const sum = (of: (target: Target) => number) => targets.reduce((total, target) => total + of(target), 0)
  const answered = sum((target) => target.answered)
  const questions = sum((target) => target.questions)
  const last = targets
    .flatMap(({ remindedAt }) => remindedAt ?? [])
    .toSorted()
    .at(-1)
  return (
    <footer className="fc-list-footer">
      <span className="fc-grow">
        <bdi>
          <b>{count(targets.length, 'target', 'targets')}</b>, {answered.toLocaleString()} of{' '}
          {count(questions, 'question', 'questions')} answered.
          {last !== undefined && ` Last reminder ${formatDay(last)}.`}
        </bdi>
      </span>
      <span className="fc-board-keys fc-only-wide" aria-hidden="true">
        <Keys keys={['j', 'k']} what="row" />
        {canSelect && <Keys keys={['x']} what="select" />}
        <Keys keys={['Enter']} what="open" />
        {canSelect && <Keys keys={['m']} what="remind" />}
      </span>
    </footer>
  )
}

function Keys({ keys, what }: { keys: readonly string[]; what: string }) {
  return (
    <span className="fc-row">
      {keys.map((key) => (
        <kbd key={key} className="fc-key">
          {key}
        </kbd>
      ))}
      {what}
    </span>
  )
}
