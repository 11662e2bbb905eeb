import { IconAdjustmentsHorizontal, IconPlus } from '@tabler/icons-react'

/** The button label: "+ Filter", or "Filters" on a phone. */
export function AddFilterText() {
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
