import type { KeyboardEvent } from 'react'

const STEPS = { vertical: ['ArrowUp', 'ArrowDown'], horizontal: ['ArrowLeft', 'ArrowRight'] } as const

/**
 * Arrow keys, Home and End move the focus through the elements matching `stops`, wrapping around. Horizontal
 * movement follows the reading direction.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>, stops: string, axis: keyof typeof STEPS): void {
  if (event.defaultPrevented) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(stops)]
  const isMirrored = axis === 'horizontal' && document.documentElement.dir === 'rtl'
  const [back, on] = isMirrored ? STEPS[axis].toReversed() : STEPS[axis]
  const here = document.activeElement
  const exact = all.findIndex((stop) => stop === here)
  // If the focus is in a list opened from a stop, count it as that stop.
  const at = exact >= 0 ? exact : all.findIndex((stop) => stop.parentElement?.contains(here) === true)
  const targets = new Map([
    [back, (at <= 0 ? all.length : at) - 1],
    [on, (at + 1) % all.length],
    ['Home', 0],
    ['End', all.length - 1],
  ])
  const target = targets.get(event.key)
  if (target === undefined || all.length === 0) return
  event.preventDefault()
  all[target]?.focus()
}
