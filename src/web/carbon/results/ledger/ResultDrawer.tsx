import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { ResultDetail } from './ResultDetail.tsx'
import '../insights/insights.css'

/** The calculation of a result next to the list. */
export function ResultDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <FormDrawer title="Calculation" about="Quantity, conversion, factor, result" size={720} onClose={onClose}>
      <ResultDetail id={id} />
    </FormDrawer>
  )
}
