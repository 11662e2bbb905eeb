import { useState } from 'react'
import { activities, type RowFactor } from '#contract/carbon/activity/activity.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import type { FactorCandidate } from '#contract/carbon/factors/find-factor.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { showUnit } from '#web/carbon/factors/factor-labels.ts'
import { flagLabel } from './activity-labels.ts'

type Props = {
  choice: RowFactor
  /** The calculation of the first month; null without a result. */
  formula: string | null
  flags: readonly string[]
  /** Why the row can't be changed; null if it can. */
  lock: string | null
  /** Sets the factor of the row; null returns to the factor of the source or the automatic one. */
  onChoose: (factorId: string | null) => void
}

const BY: Readonly<Record<RowFactor['by'], string>> = {
  rules: 'Selected automatically by date, region and unit.',
  row: 'Selected manually for this row.',
  source: 'Selected manually for the whole source.',
}

/** Which factor a row uses and why, with the alternatives to choose from. */
export function FactorExplanation({ choice, formula, flags, lock, onChoose }: Props) {
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
          {flagLabel(flag)}
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
          Use automatic factor
        </Action>
      )}
      {others.length > 0 && (
        <button
          type="button"
          className="fc-text-button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide other factors' : `Other factors (${(others.length + leftOut).toLocaleString()})`}
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
        <p className="fc-small fc-soft">{leftOut.toLocaleString()} less relevant factors not shown.</p>
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
        {factor.co2e === null
          ? 'No value'
          : `${showFigure(factor.co2e)} kg CO2e per ${showUnit(factor)}, AR5`}
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
  if (isAutomatic) return 'Automatic choice'
  return fits ? 'Also matches' : "Doesn't match"
}
