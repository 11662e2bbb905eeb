import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { Tip } from '../Tip.tsx'
import type { RowPlace } from './row-place.ts'
import './row-steps.css'

type Props = {
  place: RowPlace
  nouns: readonly [one: string, many: string]
  onOpen: (id: string) => void
}

/** From the open row to the one above or below it in the list. */
export function RowSteps({ place: { place, count, previous, next }, nouns: [noun], onOpen }: Props) {
  const steps = [
    { name: `Previous ${noun}`, Icon: IconChevronUp, to: previous, end: place === 1 ? 'first' : null },
    { name: `Next ${noun}`, Icon: IconChevronDown, to: next, end: place === count ? 'last' : null },
  ]
  return (
    <div className="fc-row-steps">
      <span className="fc-small fc-faint fc-number">
        {place.toLocaleString()} of {count.toLocaleString()}
      </span>
      {steps.map(({ name, Icon, to, end }) => {
        const reason = end === null ? 'The list goes on beyond this page.' : `This is the ${end} one.`
        return (
          <Tip key={name} label={to === null ? reason : name}>
            <ActionIcon
              size={28}
              aria-label={name}
              {...(to === null && {
                'data-disabled': true,
                'aria-disabled': true,
                'aria-description': reason,
              })}
              onClick={() => to !== null && onOpen(to)}
            >
              <Icon size={16} stroke={1.6} />
            </ActionIcon>
          </Tip>
        )
      })}
    </div>
  )
}
