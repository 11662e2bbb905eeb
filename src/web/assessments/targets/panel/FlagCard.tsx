import { Button, Textarea } from '@mantine/core'
import { useIsMutating } from '@tanstack/react-query'
import { useRef } from 'react'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'

type Props = { targetId: string; flag: string | undefined; onFlag: (comment: string | null) => void }

/** The key of the call that requests all changes of a target. */
export const requestingChanges = (targetId: string) => ['request changes', targetId]

/** A change that the reviewer wants. All of them are requested together, from the header. */
export function FlagCard({ targetId, flag, onFlag }: Props) {
  const place = useRef<HTMLElement>(null)
  /** The focus stays in the card: in the text, or on the button that begins one. */
  const change = (comment: string | null) => {
    onFlag(comment)
    requestAnimationFrame(() => place.current?.querySelector<HTMLElement>('textarea, button')?.focus())
  }
  const isBusy = useIsMutating({ mutationKey: requestingChanges(targetId) }) > 0
  if (flag === undefined) {
    return (
      <section ref={place} className="fc-target-card" aria-label="Review">
        <h3>Review</h3>
        <div>
          <Action for={assessmentTargets.requestChanges} variant="default" onClick={() => change('')}>
            Ask for a change
          </Action>
        </div>
      </section>
    )
  }
  return (
    <section ref={place} className="fc-target-card" aria-label="Review">
      <h3>Review</h3>
      <Locked isBusy={isBusy}>
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
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => change(null)}>
            Don't ask for a change
          </Button>
        </div>
      </Locked>
    </section>
  )
}
