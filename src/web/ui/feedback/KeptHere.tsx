import { Button, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { findKeptOn, KEPT_MS, type KeptTyping, personOf, textsOf } from '#web/session/kept-forms.ts'
import { useSession } from '#web/session/use-session.ts'
import { formatAgo, formatMoment } from '#web/ui/layout/date-format.ts'

/**
 * What the user typed on a page that they can't open any longer and has not saved: that it is kept, until when, and the text itself.
 * Nothing if there is none. `page`: its path; the open one if it isn't given.
 */
export function KeptHere({ page }: { page?: string }) {
  const { claims } = useSession()
  const path = page ?? globalThis.location.pathname
  const person = personOf(claims)
  const [kept, setKept] = useState<readonly KeptTyping[]>([])
  useEffect(() => {
    let isGone = false
    void findKeptOn(path, person).then((all) => isGone || setKept(all))
    return () => {
      isGone = true
    }
  }, [path, person])
  return <KeptTexts kept={kept} />
}

/** Texts that someone typed where they can't edit now, the latest first. */
export function KeptTexts({ kept }: { kept: readonly Pick<KeptTyping, 'at' | 'values' | 'loaded'>[] }) {
  const [message, setMessage] = useState('')
  const [latest] = kept
  if (latest === undefined) return null
  const text = kept.flatMap(textsOf).join('\n')

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setMessage('Copied')
    } catch {
      setMessage("Your browser couldn't copy it. Select the text and press Ctrl+C.")
    }
  }

  return (
    <Stack
      component="section"
      aria-label="Your unsaved text"
      align="flex-start"
      gap="xs"
      maw={640}
      mx="auto"
      my="md"
      px="md"
      py="sm"
      fz="sm"
      bg="var(--fc-warn-tint)"
    >
      <p>
        You typed something here {formatAgo(new Date(latest.at).toISOString())} that wasn’t saved. It is kept
        on this device until {formatMoment(new Date(latest.at + KEPT_MS).toISOString())}. Once you can edit
        here again, the form offers to put it back.
      </p>
      {text !== '' && (
        <>
          <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {text}
          </Text>
          <Button variant="default" size="compact-sm" onClick={() => void copy()}>
            Copy the text
          </Button>
          <output>{message}</output>
        </>
      )}
    </Stack>
  )
}
