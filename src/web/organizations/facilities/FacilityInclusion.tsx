import { type Facility, findMissing } from '#contract/organizations/facilities/facilities.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { standingOn } from './facility-tree.ts'
import { MISSING_NAMES } from './facility-labels.ts'

type Props = {
  facility: Facility
  day: string
  /** Nothing where everything is as it should be: there is no room for a column. */
  isOnlyForNews?: boolean
}

/** Whether a facility is in use on a day, and what it lacks. */
export function FacilityInclusion({ facility, day, isOnlyForNews = false }: Props) {
  const missing = findMissing(facility)
  const { openedOn, closedOn } = facility
  switch (standingOn(facility, day)) {
    case 'closed':
      return (
        <Status tone="mute" mark="dash">
          Closed {closedOn === null ? '' : writeDay(closedOn)}
        </Status>
      )
    case 'coming':
      return (
        <Status tone="info" mark="wait">
          Opens {openedOn === null ? '' : writeDay(openedOn)}
        </Status>
      )
    default:
      if (missing.length === 0 && isOnlyForNews) return null
      return missing.length === 0 ? (
        <Status tone="good" mark="check">
          In use
        </Status>
      ) : (
        <>
          <Status tone="warn" mark="alert">
            Incomplete
          </Status>
          <span className="fc-second">No {missing.map((name) => MISSING_NAMES[name]).join(', ')}</span>
        </>
      )
  }
}
