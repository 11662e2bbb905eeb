import { Button, CloseButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowBackUp } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { CallFailure } from '#web/api/failure.ts'
import { showError } from '../overlay/dialogs.tsx'
import { focusHeadingOnUnmount } from '../overlay/focus-heading-on-unmount.ts'
import './undo.css'

/** Interface rule 4: reversible actions don't ask for confirmation. They can be undone for this long. */
const UNDO_MS = 6000

type Offer = {
  /** What happened, as a sentence without a period: "Luis Ortega deactivated". */
  text: string
  /** Reverts the change. If it throws a CallFailure, the message is shown in the error dialog. */
  undo: () => unknown
  /** Ctrl Z also triggers this undo inside a grid, as long as nothing was edited there since. */
  isOverTables?: true
}

/** `id` tells two offers with the same text apart. */
type ShownOffer = Offer & { id: number }

let offer: ShownOffer | null = null
let offers = 0
const viewers = new Set<() => void>()

function show(next: ShownOffer | null): void {
  offer = next
  for (const viewer of viewers) viewer()
}

function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  return () => void viewers.delete(viewer)
}

/**
 * Shows what was done in a bar at the bottom of the page and offers to undo it for six seconds, by mouse or with
 * Ctrl Z. It stays if undoing failed. A later offer replaces an earlier one. Call it after the change has succeeded, instead of a toast:
 * `offerUndo({ text: 'Luis Ortega deactivated', undo: () => activate(user) })`.
 */
export function offerUndo(next: Offer): void {
  offers += 1
  show({ ...next, id: offers })
}

/** The ID of the offer that Ctrl Z undoes inside a grid; null if there is none. */
export function useOfferOverTables(): number | null {
  return useSyncExternalStore(subscribe, () => (offer?.isOverTables === true ? offer.id : null))
}

/**
 * Shows the offers of `offerUndo`. One for the whole shell; always rendered, so that screen readers announce new
 * offers.
 */
export function UndoBar() {
  const current = useSyncExternalStore(subscribe, () => offer)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => () => show(null), [])
  // Here rather than in the bar, so that the key works as soon as the bar is visible.
  useHotkeys([['mod+Z', () => button.current?.click()]])
  return <output>{current !== null && <Bar key={current.id} current={current} button={button} />}</output>
}

function Bar({ current, button }: { current: ShownOffer; button: RefObject<HTMLButtonElement | null> }) {
  const [isPaused, setIsPaused] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  // It may work later: the connection is back, or what took its place is gone.
  const [hasFailed, setHasFailed] = useState(false)
  const frame = useRef<HTMLSpanElement>(null)
  useEffect(() => focusHeadingOnUnmount(frame.current), [])
  useEffect(() => {
    if (isPaused || isBusy || hasFailed) return undefined
    const timer = setTimeout(() => show(null), UNDO_MS)
    return () => clearTimeout(timer)
  }, [isPaused, isBusy, hasFailed])

  async function undo() {
    if (isBusy) return
    setIsBusy(true)
    try {
      await current.undo()
      // Keep a newer offer that arrived in the meantime.
      if (offer === current) show(null)
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      setHasFailed(true)
      showError(failure)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <span
      ref={frame}
      className="fc-undo"
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={() => setIsPaused(true)}
      onBlur={() => setIsPaused(false)}
    >
      <bdi className="fc-cut">{current.text}</bdi>
      <Button
        ref={button}
        variant="subtle"
        aria-disabled={isBusy}
        onClick={() => void undo()}
        leftSection={<IconArrowBackUp size={16} className="fc-flip" aria-hidden="true" />}
      >
        {isBusy ? 'Undoing…' : 'Undo'}
      </Button>
      <kbd className="fc-key" aria-hidden="true">
        Ctrl Z
      </kbd>
      {hasFailed && <CloseButton size="sm" aria-label="Dismiss" onClick={() => show(null)} />}
    </span>
  )
}
