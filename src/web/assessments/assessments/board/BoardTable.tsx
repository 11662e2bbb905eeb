import { useState } from 'react'
import type { PresentPerson } from '#contract/assessments/targets/presence.ts'
import type { Target } from '#contract/assessments/targets/targets.ts'
import { RowCheck } from '#web/ui/list/selection/RowCheck.tsx'
import { BoardStatus, DueDay, Score, TargetName } from './board-cells.tsx'
import { SectionCell } from './SectionCell.tsx'

export type BoardSection = { id: string; title: string }

/** In px: the least width of a section, and of the other columns together. */
const SECTION = 68
const OTHER_COLUMNS = 620

type Props = {
  targets: readonly Target[]
  sections: readonly BoardSection[]
  /** The second line of each status, by target. */
  lines: ReadonlyMap<string, string>
  /** Who else has a target open now. */
  present: ReadonlyMap<string, readonly PresentPerson[]>
  selected: ReadonlySet<string>
  /** Null: the user can't select. */
  onSelect: ((ids: readonly string[], isOn: boolean) => void) | null
}

/** The targets with their progress by section: one row a target, one column a section. */
export function BoardTable({ targets, sections, lines, present, selected, onSelect }: Props) {
  const [explained, setExplained] = useState<string | null>(null)
  const chosen = targets.filter(({ id }) => selected.has(id))
  return (
    <div className="fc-board-frame">
      <table
        className="fc-board"
        aria-label="Targets"
        // All sections have the same width, so that a long title doesn't widen its column.
        style={{ minInlineSize: `${OTHER_COLUMNS + sections.length * SECTION}px` }}
      >
        <BoardHead targets={targets} sections={sections} chosen={chosen.length} onSelect={onSelect} />
        <tbody>
          {targets.map((target) => (
            <tr
              key={target.id}
              data-target={target.id}
              tabIndex={-1}
              data-selected={selected.has(target.id) || undefined}
            >
              {onSelect && (
                <td className="fc-board-check">
                  <RowCheck
                    label={`Select ${target.name}`}
                    isOn={selected.has(target.id)}
                    onChange={(isOn) => onSelect([target.id], isOn)}
                  />
                </td>
              )}
              <th scope="row" className="fc-board-name">
                <TargetName target={target} present={present.get(target.id) ?? []} />
              </th>
              <td className="fc-board-status">
                <BoardStatus target={target} line={lines.get(target.id) ?? ''} />
              </td>
              {sections.map(({ id, title }) => (
                <td key={id} className="fc-board-section">
                  <SectionCell
                    params={{ id: target.assessmentId, targetId: target.id }}
                    title={title}
                    section={target.sections.find(({ section }) => section === id)}
                    isOpen={explained === `${target.id}/${id}`}
                    onOpen={(isOpen) => setExplained(isOpen ? `${target.id}/${id}` : null)}
                  />
                </td>
              ))}
              <td className="fc-end">
                <Score target={target} />
              </td>
              <td className="fc-end">
                <DueDay target={target} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type HeadProps = Pick<Props, 'targets' | 'sections' | 'onSelect'> & { chosen: number }

function BoardHead({ targets, sections, chosen, onSelect }: HeadProps) {
  return (
    <thead>
      <tr>
        {onSelect && (
          <th scope="col" className="fc-board-check">
            <RowCheck
              label="Select all targets"
              isOn={chosen === targets.length}
              isMixed={chosen > 0 && chosen < targets.length}
              onChange={(isOn) =>
                onSelect(
                  targets.map(({ id }) => id),
                  isOn,
                )
              }
            />
          </th>
        )}
        <th scope="col" className="fc-board-name">
          Target
        </th>
        <th scope="col" className="fc-board-status">
          Status
        </th>
        {sections.map(({ id, title }) => (
          <th key={id} scope="col" className="fc-board-section" title={title}>
            {title}
          </th>
        ))}
        <th scope="col" className="fc-end">
          Score
        </th>
        <th scope="col" className="fc-end">
          Due
        </th>
      </tr>
    </thead>
  )
}
