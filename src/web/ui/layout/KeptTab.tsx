import { type ReactNode, useState } from 'react'

/**
 * A tab with a form of its own: once opened, it stays in the page while another tab is shown, so that what was typed isn't
 * lost.
 */
export function KeptTab({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const [isOpened, setOpened] = useState(isShown)
  if (isShown && !isOpened) setOpened(true)
  return isOpened && <div hidden={!isShown}>{children}</div>
}
