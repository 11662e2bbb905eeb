import { createContext, use } from 'react'
import type { Boot } from '#contract/identity/boot.ts'

export const BootContext = createContext<Boot | null>(null)

/** What the server wrote into the page: branding and settings. */
export function useBoot(): Boot {
  const boot = use(BootContext)
  if (!boot) throw new Error('No boot data stands above this component.')
  return boot
}
