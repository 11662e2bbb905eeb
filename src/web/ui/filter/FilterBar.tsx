import { lazy, Suspense, useState } from 'react'
import { AddFilterText } from './AddFilterText.tsx'
import type { FilterProps } from './filter-props.ts'
import './filter-bar.css'

/** Chips, forms and the rule language: an unfiltered list doesn't load them. */
const FilterTools = lazy(async () => ({ default: (await import('./FilterTools.tsx')).FilterTools }))

/**
 * The filter of a list in its toolbar: a chip for each condition, "+ Filter", "Clear". Under 768 px, one button
 * with the count. Everything but that button is loaded on demand.
 */
export function FilterBar(props: FilterProps) {
  const [isAsked, setIsAsked] = useState(false)
  const [isNeeded, setIsNeeded] = useState(props.value !== '')
  if (!isNeeded && (isAsked || props.value !== '')) setIsNeeded(true)

  const placeholderValue = (
    <button type="button" className="fc-add-filter" aria-haspopup="dialog" onClick={() => setIsAsked(true)}>
      <AddFilterText />
    </button>
  )
  if (!isNeeded) return placeholderValue
  return (
    <Suspense fallback={placeholderValue}>
      <FilterTools {...props} isOpenAtFirst={isAsked} />
    </Suspense>
  )
}
