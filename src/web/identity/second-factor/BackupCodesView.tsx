import { Button } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'

/** The dialog is already open, and the element that had the focus is gone. */
function focusAtStart(button: HTMLButtonElement | null): void {
  button?.focus()
}

/** Backup codes are shown only once. Only their hashes are stored. */
export function BackupCodesView({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [message, setMessage] = useState('')
  const text = `${codes.join('\n')}\n`

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setMessage('Copied')
    } catch {
      setMessage("Your browser couldn't copy the codes. Download them or write them down.")
    }
  }

  return (
    <div className="fc-security-form">
      <p>
        Use these codes to sign in when you can't get another one. Keep them somewhere safe. You won't see
        them again.
      </p>
      <ul className="fc-codes" aria-label="Backup codes" dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="fc-row">
        <Button
          variant="default"
          ref={focusAtStart}
          leftSection={
            message === 'Copied' ? (
              <IconCheck size={16} aria-hidden="true" />
            ) : (
              <IconCopy size={16} aria-hidden="true" />
            )
          }
          onClick={() => void copy()}
        >
          Copy
        </Button>
        <Button
          variant="default"
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="backup-codes.txt"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
        >
          Download
        </Button>
      </div>
      <output className="fc-small fc-soft">{message}</output>
      <div className="fc-buttons">
        <Button onClick={onClose}>I've saved my codes</Button>
      </div>
    </div>
  )
}
