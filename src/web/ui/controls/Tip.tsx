import type { TooltipProps } from '@mantine/core'
import { lazy, type ReactElement, Suspense } from 'react'

/** The tooltip code is 20 kB: load it only when there is something to explain. */
const FloatingTip = lazy(async () => ({ default: (await import('./FloatingTip.tsx')).FloatingTip }))

type Props = Pick<TooltipProps, 'position'> & {
  /** Empty: no tooltip. */
  label: string
  children: ReactElement
}

/** Explains a control on hover, focus and touch. */
export function Tip({ label, children, ...place }: Props) {
  if (label === '') return children
  return (
    <Suspense fallback={children}>
      <FloatingTip label={label} {...place}>
        {children}
      </FloatingTip>
    </Suspense>
  )
}
