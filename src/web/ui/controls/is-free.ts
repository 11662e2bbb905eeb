/** Whether nothing is open that a key could be meant for: no dialog, and no menu or form that has the focus. */
export function isFree({ target }: KeyboardEvent): boolean {
  const isInside =
    target instanceof Element && target.closest('[role="dialog"], [role="menu"], form') !== null
  return !isInside && document.querySelector('[role="dialog"]') === null
}
