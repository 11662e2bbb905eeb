import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowBackUp } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { CallFailure } from '#web/api/failure.ts'
import { showError } from '../overlay/dialogs.tsx'
import { handFocusOn } from '../overlay/hand-focus-on.ts'
import './undo.css'

/** Interface rule 4: what can be taken back is not asked about, it can be undone for this long. */
const UNDO_MS = 6000

type Offer = {
  /** What happened, as a sentence without its full stop: "Luis Ortega is switched off". */
  text: string
  /** Takes it back. May throw a CallFailure: its message is then shown in the error dialog. */
  undo: () => unknown
  /** Ctrl Z means it also in a table that is written in, as long as nothing was written there since. */
  isOverTables?: true
}

/** `id`: two offers may say the same and are two nevertheless. */
type Shown = Offer & { id: number }

let offer: Shown | null = null
let offers = 0
const viewers = new Set<() => void>()

function show(next: Shown | null): void {
  offer = next
  for (const viewer of viewers) viewer()
}

function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  return () => void viewers.delete(viewer)
}

/**
 * Says what was done and offers for six seconds to take it back: one bar at the bottom of the page, by mouse or with
 * Ctrl Z. A later offer takes the place of an earlier one. Call it after the deed has succeeded, instead of a toast:
 * `offerUndo({ text: 'Luis Ortega is switched off', undo: () => switchOn(user) })`.
 */
export function offerUndo(next: Offer): void {
  offers += 1
  show({ ...next, id: offers })
}

/** The number of the offer that Ctrl Z means also in a table that is written in; null where there is none. */
export function useOfferOverTables(): number | null {
  return useSyncExternalStore(subscribe, () => (offer?.isOverTables === true ? offer.id : null))
}

/** Where the offers of `offerUndo` stand. One for the whole shell; always there, so that an offer is announced. */
export function UndoBar() {
  const current = useSyncExternalStore(subscribe, () => offer)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => () => show(null), [])
  // Here and not in the bar: the key counts from the moment in which the bar can be seen.
  useHotkeys([['mod+Z', () => button.current?.click()]])
  return <output>{current !== null && <Bar key={current.id} current={current} button={button} />}</output>
}

function Bar({ current, button }: { current: Shown; button: RefObject<HTMLButtonElement | null> }) {
  const [isHeld, setIsHeld] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const frame = useRef<HTMLSpanElement>(null)
  useEffect(() => handFocusOn(frame.current), [])
  useEffect(() => {
    if (isHeld || isBusy) return undefined
    const timer = setTimeout(() => show(null), UNDO_MS)
    return () => clearTimeout(timer)
  }, [isHeld, isBusy])

  async function undoJob() {
    if (isBusy) return
    setIsBusy(true)
    try {
      await current.undo()
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      showError(failure)
    } finally {
      setIsBusy(false)
      // Another offer may have come meanwhile, and that one stays.
      if (offer === current) show(null)
    }
  }

  return (
    <span
      ref={frame}
      className="fc-undo"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <bdi className="fc-cut">{current.text}</bdi>
      <Button
        ref={button}
        variant="subtle"
        aria-disabled={isBusy}
        onClick={() => void undoJob()}
        leftSection={<IconArrowBackUp size={16} className="fc-flip" aria-hidden="true" />}
      >
        {isBusy ? 'Undoing…' : 'Undo'}
      </Button>
      <kbd className="fc-key" aria-hidden="true">
        Ctrl Z
      </kbd>
    </span>
  )
}
