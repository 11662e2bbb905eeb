import type { BulkResult } from '#contract/assessments/targets/targets.ts'
import { showNotice } from '#web/ui/overlay/dialogs.tsx'

/** Shows which targets a bulk change left out, with the reasons. */
export function showLeft(title: string, left: BulkResult['left']): void {
  showNotice(
    title,
    <ul className="fc-left">
      {left.map(({ targetId, name, reason }) => (
        <li key={targetId}>
          <b>
            <bdi>{name}</bdi>
          </b>
          <span className="fc-second">
            <bdi>{reason}</bdi>
          </span>
        </li>
      ))}
    </ul>,
  )
}
