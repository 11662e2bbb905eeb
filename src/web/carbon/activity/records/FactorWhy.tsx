import { useState } from 'react'
import { activities, type RowFactor } from '#contract/carbon/activity/activity.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import type { FactorCandidate } from '#contract/carbon/factors/find-factor.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { showUnit } from '#web/carbon/factors/factor-labels.ts'
import { flagWords } from './activity-labels.ts'

type Props = {
  choice: RowFactor
  /** What the engine wrote of the first month; null: there is no result. */
  formula: string | null
  flags: readonly string[]
  /** Why the row may not be changed; null where it may. */
  lock: string | null
  /** The factor of the row from now on; null: that of its source, or by the rules. */
  onChoose: (factorId: string | null) => void
}

const BY: Readonly<Record<RowFactor['by'], string>> = {
  rules: 'Chosen by the rules of the inventory, by day, region and unit.',
  row: 'Chosen by hand for this row.',
  source: 'Chosen by hand for the whole source.',
}

/** What factor a row takes and why, which others there are, and choosing one of those that fit. */
export function FactorWhy({ choice, formula, flags, lock, onChoose }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const { by, candidates, chosenId, automaticId, leftOut, sentence } = choice
  const others = candidates.filter(({ factor }) => factor.id !== chosenId)
  return (
    <div className="fc-activity-why">
      <h3>Why this factor</h3>
      <Status tone={chosenId === null ? 'warn' : 'good'} mark={chosenId === null ? 'alert' : 'check'}>
        <bdi>{sentence}</bdi>
      </Status>
      <p className="fc-small fc-soft">{BY[by]}</p>
      {flags.map((flag) => (
        <p key={flag} className="fc-small">
          {flagWords(flag)}
        </p>
      ))}
      {formula !== null && (
        <p className="fc-activity-formula">
          <bdi>{formula}</bdi>
        </p>
      )}
      {by === 'row' && (
        <Action
          for={activities.save}
          variant="default"
          size="compact-sm"
          lock={lock}
          onClick={() => onChoose(null)}
        >
          Back to automatic
        </Action>
      )}
      {others.length > 0 && (
        <button
          type="button"
          className="fc-text-button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide the others' : `Other factors (${(others.length + leftOut).toLocaleString()})`}
        </button>
      )}
      {isOpen && (
        <ul className="fc-activity-candidates" aria-label="Other factors">
          {others.map((candidate) => (
            <Candidate
              key={candidate.factor.id}
              candidate={candidate}
              isAutomatic={candidate.factor.id === automaticId}
              lock={lock}
              onChoose={onChoose}
            />
          ))}
        </ul>
      )}
      {isOpen && leftOut > 0 && (
        <p className="fc-small fc-soft">{leftOut.toLocaleString()} more are further away.</p>
      )}
    </div>
  )
}

type CandidateProps = Pick<Props, 'lock' | 'onChoose'> & { candidate: FactorCandidate; isAutomatic: boolean }

function Candidate({ candidate, isAutomatic, lock, onChoose }: CandidateProps) {
  const { factor, fits, reasons, against } = candidate
  const where = `${factor.publisher}, ${factor.edition}`
  return (
    <li>
      <bdi className="fc-name">{factor.name}</bdi>
      <bdi className="fc-second">{where}</bdi>
      <bdi className="fc-second fc-number">
        {factor.co2e === null ? 'No value' : `${showFigure(factor.co2e)} kg CO2e a ${showUnit(factor)}, AR5`}
      </bdi>
      <Status tone={fits ? 'info' : 'mute'} mark={fits ? 'check' : 'dash'}>
        {verdict(fits, isAutomatic)}
      </Status>
      <ul>
        {(fits ? reasons : against).map((reason) => (
          <li key={reason}>
            <bdi>{reason}</bdi>
          </li>
        ))}
      </ul>
      {fits && (
        <Action
          for={activities.save}
          variant="default"
          size="compact-sm"
          lock={lock}
          aria-label={`Choose ${factor.name}, ${where}`}
          onClick={() => onChoose(factor.id)}
        >
          Choose
        </Action>
      )}
    </li>
  )
}

const verdict = (fits: boolean, isAutomatic: boolean): string => {
  if (isAutomatic) return 'What the rules would take'
  return fits ? 'Fits, further behind' : 'Does not fit'
}
