import { type KeyboardEvent, useRef, useState } from 'react'
import type { Facility } from '#contract/organizations/facilities/facilities.ts'
import type { Consolidation } from '#contract/organizations/facilities/inclusion.ts'
import { FacilityRow } from './FacilityRow.tsx'
import { moveIn, rowsOf } from './facility-tree.ts'

type Props = {
  facilities: readonly Facility[]
  day: string
  approach: Consolidation
  selectedId: string | undefined
}

const NONE: ReadonlySet<string> = new Set()
/** A table with expandable rows (WAI-ARIA treegrid). */
const TREE = { role: 'treegrid', 'aria-label': 'Facilities' } as const

/** The facilities as a tree table. Arrow keys move, expand and collapse; Enter opens the facility. */
export function FacilityTable({ facilities, day, approach, selectedId }: Props) {
  const [closed, setClosed] = useState(NONE)
  const [focused, setFocused] = useState<string | null>(null)
  const table = useRef<HTMLTableElement>(null)
  const rows = rowsOf(facilities, closed, { day, approach })
  // If the focused row is gone (deleted, or in a collapsed row), the first row takes its place in the tab order.
  const current = rows.some(({ facility }) => facility.id === focused) ? focused : rows[0]?.facility.id

  const toggle = (id: string) =>
    setClosed(closed.has(id) ? new Set([...closed].filter((one) => one !== id)) : new Set([...closed, id]))

  function press(id: string, event: KeyboardEvent) {
    const key = keyOf(event)
    if (key === null || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const { focus, open, close } = moveIn(rows, closed, id, key)
    const toggled = open ?? close
    if (toggled !== undefined) toggle(toggled)
    if (focus !== undefined) {
      setFocused(focus)
      table.current?.querySelector<HTMLElement>(`[data-facility="${focus}"]`)?.focus()
    }
  }

  return (
    <div className="fc-facilities-frame">
      <table ref={table} {...TREE} className="fc-facilities">
        <thead>
          <tr>
            <th scope="col">Facility</th>
            <th scope="col" className="fc-only-wide">
              Location
            </th>
            <th scope="col" className="fc-only-wide fc-end">
              Floor area
            </th>
            <th scope="col" className="fc-only-wide">
              Status
            </th>
            <th scope="col">Inclusion</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { id } = row.facility
            return (
              <FacilityRow
                key={id}
                row={row}
                day={day}
                isOpen={!closed.has(id)}
                isCurrent={id === current}
                isSelected={id === selectedId}
                onToggle={toggle}
                onCurrent={setFocused}
                onKey={press}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function keyOf({ key }: KeyboardEvent): Parameters<typeof moveIn>[3] | null {
  const isMirrored = document.documentElement.dir === 'rtl'
  switch (key) {
    case 'ArrowUp':
      return 'up'
    case 'ArrowDown':
      return 'down'
    case 'Home':
      return 'first'
    case 'End':
      return 'last'
    case 'ArrowRight':
      return isMirrored ? 'towardsStart' : 'towardsEnd'
    case 'ArrowLeft':
      return isMirrored ? 'towardsEnd' : 'towardsStart'
    default:
      return null
  }
}
