import { Button, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useRef, useState } from 'react'

type Props = { link: string; label?: string; verb?: string }

/** A link to share by other means. If the browser blocks copying, it is selected for Ctrl+C. */
export function CopyLink({ link, label = 'Link', verb = 'Copy link' }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [result, setResult] = useState('')

  async function copy() {
    try {
      await navigator.clipboard.writeText(link)
      setResult('Copied')
    } catch {
      input.current?.select()
      setResult('Press Ctrl+C')
    }
  }

  return (
    <div className="fc-copy">
      <TextInput
        ref={input}
        label={label}
        value={link}
        readOnly
        dir="ltr"
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        variant="default"
        leftSection={
          result === 'Copied' ? (
            <IconCheck size={16} aria-hidden="true" />
          ) : (
            <IconCopy size={16} aria-hidden="true" />
          )
        }
        onClick={() => void copy()}
      >
        {verb}
      </Button>
      <output className="fc-small fc-soft">{result}</output>
    </div>
  )
}
