import { notifications } from '@mantine/notifications'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect } from 'react'

/** How many characters of pasted text a field leaves out because of its limit; 0 if it takes all of them. */
export function charactersCut(
  { value, maxLength, selectionStart, selectionEnd }: CutField,
  pasted: string,
): number {
  if (maxLength < 0) return 0
  const kept = value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0))
  return Math.max(0, kept + pasted.length - maxLength)
}

type CutField = Pick<HTMLInputElement, 'value' | 'maxLength' | 'selectionStart' | 'selectionEnd'>

/** Says so when a browser cuts pasted text at the limit of a field: it does that without a word. */
export function useCutPasteNotice(): void {
  useEffect(() => {
    const onPaste = ({ target, clipboardData }: ClipboardEvent) => {
      if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
      const pasted = clipboardData?.getData('text/plain') ?? ''
      if (target.readOnly || charactersCut(target, pasted) === 0) return
      notifications.show({
        title: 'The pasted text was cut',
        message: `This field takes at most ${target.maxLength.toLocaleString()} characters.`,
        icon: <IconAlertTriangle size={16} aria-hidden="true" />,
        color: 'yellow',
        closeButtonProps: { 'aria-label': 'Close notification' },
      })
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [])
}
