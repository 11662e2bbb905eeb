import { IconAdjustmentsHorizontal, IconPlus } from '@tabler/icons-react'

/** What stands on the button: "+ Filter", on a phone "Filters". */
export function AddFilterWords() {
  return (
    <>
      <span className="fc-only-wide">
        <IconPlus size={14} aria-hidden="true" /> Filter
      </span>
      <span className="fc-only-narrow">
        <IconAdjustmentsHorizontal size={16} aria-hidden="true" /> Filters
      </span>
    </>
  )
}
