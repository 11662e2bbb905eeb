import { createContext, use } from 'react'
import type { Boot } from '#contract/identity/boot.ts'

export const BootContext = createContext<Boot | null>(null)

/** The boot data that the server writes into the page: branding and settings. */
export function useBoot(): Boot {
  const boot = use(BootContext)
  if (!boot) throw new Error('There is no boot data provider above this component.')
  return isSetUpHere ? { ...boot, isSetUp: true } : boot
}

let isSetUpHere = false

/** Notes that the installation was set up since the page was loaded. */
export function noteSetUp(): void {
  isSetUpHere = true
}
