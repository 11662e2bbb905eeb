import type { PresentPerson } from '#contract/assessments/targets/presence.ts'
import type { Target } from '#contract/assessments/targets/targets.ts'
import { RowCheck } from '#web/ui/list/selection/RowCheck.tsx'
import { cellText, explainCell, lookOf } from './board-rows.ts'
import { BoardStatus, DueDay, Score, TargetName } from './board-cells.tsx'
import type { BoardSection } from './BoardTable.tsx'

type Props = {
  targets: readonly Target[]
  sections: readonly BoardSection[]
  lines: ReadonlyMap<string, string>
  /** Who else has a target open now. */
  present: ReadonlyMap<string, readonly PresentPerson[]>
  selected: ReadonlySet<string>
  onSelect: ((ids: readonly string[], isOn: boolean) => void) | null
}

/** The board on a narrow screen: a block a target, its sections as a row of small cells. */
export function BoardBlocks({ targets, sections, lines, present, selected, onSelect }: Props) {
  return (
    <ul className="fc-board-blocks" aria-label="Targets">
      {targets.map((target) => (
        <li key={target.id} data-target={target.id} data-selected={selected.has(target.id) || undefined}>
          {onSelect && (
            <RowCheck
              label={`Select ${target.name}`}
              isOn={selected.has(target.id)}
              onChange={(isOn) => onSelect([target.id], isOn)}
            />
          )}
          <div className="fc-grow">
            <div className="fc-block-head">
              <span className="fc-grow">
                <TargetName target={target} present={present.get(target.id) ?? []} />
              </span>
              <span className="fc-small">
                Due <DueDay target={target} />
              </span>
            </div>
            <div className="fc-block-head fc-small">
              <span className="fc-grow">
                <BoardStatus target={target} line={lines.get(target.id) ?? ''} />
              </span>
              <span>
                Score <Score target={target} />
              </span>
            </div>
            <ul className="fc-board-cells" aria-label={`Sections of ${target.name}`}>
              {sections.map(({ id, title }) => {
                const section = target.sections.find((one) => one.section === id)
                if (section === undefined) return null
                return (
                  <li
                    key={id}
                    className="fc-heat"
                    data-look={lookOf(section)}
                    title={explainCell(title, section)}
                  >
                    <span aria-hidden="true">{cellText(section)}</span>
                    <span className="fc-hidden">{explainCell(title, section)}</span>
                  </li>
                )
              })}
            </ul>
          </div>
        </li>
      ))}
    </ul>
  )
}
