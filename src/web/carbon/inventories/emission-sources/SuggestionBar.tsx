import { Button } from '@mantine/core'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import '#web/ui/form/save-bar.css'

type Props = {
  count: number
  /** How many of them have no emission factor. */
  lacking: number
  isSaving: boolean
  onSave: () => void
  onChange: () => void
}

/** For an empty matrix: the assignments suggested by facility type, to save as they are or edit first. */
export function SuggestionBar({ count, lacking, isSaving, onSave, onChange }: Props) {
  return (
    <section className="fc-save-bar" aria-label="Suggested assignments">
      <output className="fc-save-bar-text">
        <span className="fc-save-bar-dot" aria-hidden="true" />
        <b>
          <bdi>{count.toLocaleString()} suggested</bdi>
        </b>
        <span className="fc-cut fc-only-wide">
          <bdi>
            Based on your facility types
            {lacking > 0 && `, ${lacking.toLocaleString()} without a published factor`}.
          </bdi>
        </span>
      </output>
      <Button variant="default" onClick={onChange} disabled={isSaving}>
        Edit
      </Button>
      <Action for={carbonAssignments.save} onClick={onSave} loading={isSaving}>
        Save
      </Action>
    </section>
  )
}
