import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useRef, useState } from 'react'
import { type Variables, variablesOf } from '#contract/expressions/variables.ts'
import { useHolds } from '#web/session/use-session.ts'
import { ChipRow } from './ChipRow.tsx'
import type { FilterProps } from './filter-props.ts'
import { PhoneFilters } from './PhoneFilters.tsx'
import { useNames } from './rules/references.ts'
import { partsOf, referredBy } from './rules/rule-parts.ts'
import './filter.css'

const AdvancedDialog = lazy(async () => ({
  default: (await import('./rules/AdvancedDialog.tsx')).AdvancedDialog,
}))

type Props = FilterProps & {
  /** The button was clicked before this code was loaded. */
  isOpenAtFirst: boolean
  /** What conditions may use, if not all fields of the list that the user sees. */
  variables?: Variables
}

/** The filter bar except for its first button. */
export function FilterTools({ isOpenAtFirst, variables: given, ...props }: Props) {
  const { list, endpoint, value, search = '', problem, onChange } = props
  const holds = useHolds()
  const variables = given ?? variablesOf(list, (permission) => holds(permission) === true)
  const parts = partsOf(value, variables)
  const nameOf = useNames(referredBy(parts, variables))
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const [isAdvanced, setIsAdvanced] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // The Clear button disappears with the filter: keep the focus in the bar.
  const clear = () => {
    button.current?.focus()
    onChange('')
  }
  const bar = { parts, problem, variables, nameOf, button, isOpen, onOpen: setIsOpen, onChange }
  const opener = useRef<Element | null>(null)
  const openAdvanced = () => {
    opener.current = document.activeElement
    setIsAdvanced(true)
  }
  const closeAdvanced = () => {
    setIsAdvanced(false)
    const { current: from } = opener
    if (from instanceof HTMLElement && from.closest('.fc-chip')) from.focus()
    else button.current?.focus()
  }
  return (
    <>
      {isNarrow ? (
        <PhoneFilters {...bar} {...{ list, endpoint, value, search }} onAdvanced={openAdvanced} />
      ) : (
        <ChipRow {...bar} onClear={clear} onAdvanced={openAdvanced} />
      )}
      {isAdvanced && (
        <Suspense>
          <AdvancedDialog
            {...{ list, endpoint, variables, search }}
            filter={value}
            onApply={(filter) => {
              closeAdvanced()
              if (filter !== value) onChange(filter)
            }}
            onClose={closeAdvanced}
          />
        </Suspense>
      )}
    </>
  )
}
