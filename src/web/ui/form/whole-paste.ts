/**
 * Pastes texts whole. A browser cuts what is longer than the field takes and says nothing; without the limit, the form says
 * how many characters the field may have, and what was pasted can be shortened.
 */
export function pasteWhole(event: ClipboardEvent): void {
  const { target: field, clipboardData } = event
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  const { maxLength, value, selectionStart, selectionEnd } = field
  const kept = value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0))
  const pasted = clipboardData?.getData('text/plain').length ?? 0
  if (maxLength >= 0 && kept + pasted > maxLength) field.removeAttribute('maxlength')
}
