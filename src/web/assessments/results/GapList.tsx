import { Button } from '@mantine/core'
import { useState } from 'react'
import { assessmentActions } from '#contract/assessments/actions/actions.ts'
import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import { assessmentResults, type Gap, type TargetGap } from '#contract/assessments/results/results.ts'
import { query } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { ActionDrawer, type NewAction } from '../actions/ActionDrawer.tsx'

type Props = {
  assessment: Assessment
  gaps: readonly Gap[]
  sections: readonly { id: string; title: string }[]
}

/** Questions with points to gain, the most first, each with the targets that could gain them. */
export function GapList({ assessment, gaps, sections }: Props) {
  const [open, setOpen] = useState<string | null>(null)
  const [adding, setAdding] = useState<NewAction | null>(null)
  return (
    <section className="fc-gaps" aria-labelledby="fc-gaps">
      <h2 id="fc-gaps">Gaps</h2>
      {gaps.length === 0 && <p className="fc-soft">The submitted targets have full scores.</p>}
      <ol>
        {gaps.map((gap) => {
          const isOpen = open === gap.questionCode
          const section = sections.find(({ id }) => id === gap.section)?.title
          return (
            <li key={gap.questionCode}>
              <div className="fc-result-gap">
                <div className="fc-grow">
                  <p>
                    <bdi>{gap.title}</bdi>
                  </p>
                  <p className="fc-small fc-soft">
                    <bdi>
                      {section === undefined ? '' : `${section}. `}
                      {gap.targets} of {count(gap.of, 'target', 'targets')} could gain {gap.meanGain} points
                      {gap.targets === 1 ? '' : ' on average'}.
                      {gap.openActions > 0 && ` ${count(gap.openActions, 'open action', 'open actions')}.`}
                    </bdi>
                  </p>
                  {gap.action !== null && (
                    <p className="fc-small">
                      <strong>What to do:</strong> <bdi>{gap.action}</bdi>
                    </p>
                  )}
                </div>
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-expanded={isOpen}
                  aria-label={`${isOpen ? 'Hide' : 'Show'} targets: ${gap.title}`}
                  onClick={() => setOpen(isOpen ? null : gap.questionCode)}
                >
                  {isOpen ? 'Hide targets' : 'Show targets'}
                </Button>
              </div>
              {isOpen && (
                <GapTargets
                  assessment={assessment}
                  gap={gap}
                  onAdd={({ targetId, name, organizationId }) =>
                    setAdding({
                      targetId,
                      targetName: name,
                      organizationId,
                      questionCode: gap.questionCode,
                      title: (gap.action ?? gap.title).slice(0, 200),
                    })
                  }
                />
              )}
            </li>
          )
        })}
      </ol>
      {adding !== null && <ActionDrawer action={adding} onClose={() => setAdding(null)} />}
    </section>
  )
}

type TargetsProps = { assessment: Assessment; gap: Gap; onAdd: (target: TargetGap) => void }

function GapTargets({ assessment, gap, onAdd }: TargetsProps) {
  return (
    <Loaded
      query={query(assessmentResults.gap, { id: assessment.id, question: gap.questionCode })}
      what="the targets"
      shape={null}
    >
      {(targets) => (
        <ul className="fc-gap-targets">
          {targets.map((one) => (
            <li key={one.targetId}>
              <span className="fc-grow">
                <bdi>{one.name}</bdi>
              </span>
              <span className="fc-number fc-small">
                {one.contribution} of {one.possible}
              </span>
              <span className="fc-number">+{one.gain}</span>
              <Action
                for={assessmentActions.add}
                size="compact-sm"
                variant="default"
                aria-label={`Add action for ${one.name}`}
                onClick={() => onAdd(one)}
              >
                {one.openActions > 0 ? `Add action (${one.openActions} open)` : 'Add action'}
              </Action>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}
