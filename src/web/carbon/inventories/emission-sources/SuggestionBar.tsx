import { Button } from '@mantine/core'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import '#web/ui/form/save-bar.css'

type Props = {
  count: number
  /** Of those, how many will come to nothing: no factor leads there. */
  lacking: number
  isSaving: boolean
  onSave: () => void
  onChange: () => void
}

/** Over a matrix that is empty yet: what the types of the facilities suggest, to be saved as it is or changed first. */
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
            By the types of your facilities
            {lacking > 0 && `, ${lacking.toLocaleString()} without a published factor`}.
          </bdi>
        </span>
      </output>
      <Button variant="default" onClick={onChange} disabled={isSaving}>
        Change
      </Button>
      <Action for={carbonAssignments.save} onClick={onSave} loading={isSaving}>
        Save
      </Action>
    </section>
  )
}
