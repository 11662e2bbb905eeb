let isPressed = false
const waiting: (() => void)[] = []

function release(): void {
  isPressed = false
  // The click follows in the same task.
  setTimeout(() => {
    for (const work of waiting.splice(0)) work()
  })
}

// Before the focus moves, which a press does.
globalThis.document?.addEventListener('pointerdown', () => (isPressed = true), true)
for (const end of ['pointerup', 'pointercancel']) globalThis.document?.addEventListener(end, release, true)

/**
 * Runs what follows from leaving an input: at once, or, if a press elsewhere is why it was left, after its click. A message that
 * appears in between would move away what is being clicked, and the click would be lost.
 */
export function afterPress(work: () => void): void {
  if (isPressed) waiting.push(work)
  else work()
}
