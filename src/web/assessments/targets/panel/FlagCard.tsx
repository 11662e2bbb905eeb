import { Button, Textarea } from '@mantine/core'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { Action } from '#web/ui/controls/Action.tsx'

type Props = { flag: string | undefined; onFlag: (comment: string | null) => void }

/** A change that the reviewer wants. All of them are requested together, from the header. */
export function FlagCard({ flag, onFlag }: Props) {
  if (flag === undefined) {
    return (
      <section className="fc-target-card" aria-label="Review">
        <h3>Review</h3>
        <div>
          <Action for={assessmentTargets.requestChanges} variant="default" onClick={() => onFlag('')}>
            Ask for a change
          </Action>
        </div>
      </section>
    )
  }
  return (
    <section className="fc-target-card" aria-label="Review">
      <h3>Review</h3>
      <Textarea
        label="What should change?"
        description="Sent when you request changes. Answers you don't flag can't be changed."
        required
        autosize
        minRows={2}
        maxLength={1000}
        value={flag}
        onChange={(event) => onFlag(event.currentTarget.value)}
      />
      <div>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onFlag(null)}>
          Don't ask for a change
        </Button>
      </div>
    </section>
  )
}
