import { lazy, Suspense, useState } from 'react'
import { AddFilterWords } from './AddFilterText.tsx'
import type { FilterProps } from './filter-props.ts'
import './filter-bar.css'

/** Chips, their forms and the language behind them: a list that is not filtered does without. */
const FilterTools = lazy(async () => ({ default: (await import('./FilterTools.tsx')).FilterTools }))

/**
 * The filter of a list in its toolbar: a chip for each condition, "+ Filter", "Clear". Under 768 px one button with
 * the count. All but that button is loaded when there is something to show or to choose.
 */
export function FilterBar(props: FilterProps) {
  const [isAsked, setIsAsked] = useState(false)
  const [isNeeded, setIsNeeded] = useState(props.value !== '')
  if (!isNeeded && (isAsked || props.value !== '')) setIsNeeded(true)

  const placeholderValue = (
    <button type="button" className="fc-add-filter" aria-haspopup="dialog" onClick={() => setIsAsked(true)}>
      <AddFilterWords />
    </button>
  )
  if (!isNeeded) return placeholderValue
  return (
    <Suspense fallback={placeholderValue}>
      <FilterTools {...props} isOpenAtFirst={isAsked} />
    </Suspense>
  )
}
