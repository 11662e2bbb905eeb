import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { FacilityStatus } from './FacilityStatus.tsx'
import type { TreeRow } from './facility-tree.ts'
import { areaOf, LEVEL_NAMES, placeOf, TYPE_NAMES, writePercent } from './facility-labels.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  row: TreeRow
  day: string
  isOpen: boolean
  /** The only row in the tab order; arrow keys reach the others. */
  isCurrent: boolean
  isSelected: boolean
  onToggle: (id: string) => void
  onCurrent: (id: string) => void
  onKey: (id: string, event: KeyboardEvent) => void
}

/** One facility: type, location, status and inclusion on the selected date, with the reason. */
export function FacilityRow({ row, day, isOpen, isCurrent, isSelected, onToggle, onCurrent, onKey }: Props) {
  const { facility, depth, hasChildren, inclusion } = row
  const { id, name, code, type, level } = facility
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <tr
      aria-level={depth}
      data-level={level}
      data-selected={isSelected || undefined}
      {...(hasChildren && { 'aria-expanded': isOpen })}
    >
      <td>
        <div className="fc-facility-name" style={{ marginInlineStart: 20 * (Math.min(depth, 6) - 1) }}>
          {hasChildren ? (
            <button
              type="button"
              className="fc-facility-toggle"
              tabIndex={-1}
              aria-label={isOpen ? `Collapse ${name}` : `Expand ${name}`}
              onClick={() => onToggle(id)}
            >
              <Chevron size={14} className="fc-flip" aria-hidden="true" />
            </button>
          ) : (
            <span className="fc-facility-toggle" aria-hidden="true" />
          )}
          <span className="fc-grow">
            <Link
              to="."
              search={(before) => ({ ...before, facility: id })}
              className="fc-name"
              data-facility={id}
              tabIndex={isCurrent ? 0 : -1}
              onFocus={() => onCurrent(id)}
              onKeyDown={(event) => onKey(id, event)}
            >
              <bdi>{name}</bdi>
            </Link>
            <span className="fc-second">
              <bdi>{[code, type === null ? LEVEL_NAMES[level] : TYPE_NAMES[type]].join(' · ')}</bdi>
            </span>
            <span className="fc-only-narrow fc-small">
              <FacilityStatus facility={facility} day={day} hidesInUse />
            </span>
          </span>
        </div>
      </td>
      <td className="fc-only-wide">
        <bdi>{placeOf(facility)}</bdi>
        <span className="fc-second">
          <bdi>{facility.gridRegion === null ? '' : `Grid ${facility.gridRegion}`}</bdi>
        </span>
      </td>
      <td className="fc-only-wide fc-end fc-number">{areaOf(facility)}</td>
      <td className="fc-only-wide">
        <FacilityStatus facility={facility} day={day} />
      </td>
      <td>
        <bdi className="fc-number fc-facility-percent">{writePercent(inclusion.percent)}</bdi>
        <span className="fc-second fc-only-wide">
          <bdi title={inclusion.reason}>{inclusion.reason}</bdi>
        </span>
      </td>
    </tr>
  )
}
