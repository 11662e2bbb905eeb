import { type Facility, findMissing } from '#contract/organizations/facilities/facilities.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { statusOn } from './facility-tree.ts'
import { MISSING_NAMES } from './facility-labels.ts'

type Props = {
  facility: Facility
  day: string
  /** Renders nothing for a complete facility in use, to save space on a narrow screen. */
  hidesInUse?: boolean
}

/** The status of a facility on a date, and its missing fields. */
export function FacilityStatus({ facility, day, hidesInUse = false }: Props) {
  const missing = findMissing(facility)
  const { openedOn, closedOn } = facility
  switch (statusOn(facility, day)) {
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
      if (missing.length === 0 && hidesInUse) return null
      return missing.length === 0 ? (
        <Status tone="good" mark="check">
          In use
        </Status>
      ) : (
        <>
          <Status tone="warn" mark="alert">
            Incomplete
          </Status>
          <span className="fc-second">Missing: {missing.map((name) => MISSING_NAMES[name]).join(', ')}</span>
        </>
      )
  }
}
