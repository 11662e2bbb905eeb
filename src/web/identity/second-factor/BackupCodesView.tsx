import { Button } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'

/** The dialog is open already: what had the focus in it is gone. */
function focusAtStart(button: HTMLButtonElement | null): void {
  button?.focus()
}

/** Shown this once: afterwards nobody knows them but whoever kept them. */
export function BackupCodesView({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [said, setSaid] = useState('')
  const text = `${codes.join('\n')}\n`

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('This browser may not copy. Download them, or write them down.')
    }
  }

  return (
    <div className="fc-security-form">
      <p>
        These codes let you in when your phone does not. Keep them where you keep your papers: they are shown
        only now.
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
            said === 'Copied' ? (
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
      <output className="fc-small fc-soft">{said}</output>
      <div className="fc-buttons">
        <Button onClick={onClose}>I have kept them</Button>
      </div>
    </div>
  )
}
