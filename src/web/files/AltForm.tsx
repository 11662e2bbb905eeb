import { Textarea } from '@mantine/core'
import { useRef } from 'react'
import type { FileLeaf } from '#contract/files/files.ts'
import { mediaTexts, MOST_ALT } from '#contract/files/media-texts.ts'
import { send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { FilePicture } from '#web/ui/files/media/FilePicture.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { askFor } from '#web/ui/overlay/dialogs.tsx'

const sendText = send(mediaTexts.update)
const PREVIEW = { width: 240, height: 160 }

/** Asks for the alternative text of a picture. */
export async function describePicture(leaf: FileLeaf): Promise<void> {
  const saved = await askFor<{ alt: string }>(`Alternative text of ${leaf.name}`, (answer) => (
    <AltForm leaf={leaf} onAnswer={answer} />
  ))
  if (saved !== null)
    toast(saved.alt === '' ? 'Alternative text removed' : 'Alternative text saved', leaf.name)
}

type Props = { leaf: FileLeaf; onAnswer: (saved: { alt: string } | null) => void }

function AltForm({ leaf, onAnswer }: Props) {
  const { path, alt: start = '' } = leaf
  // What another user saved meanwhile was shown, and is replaced by the next attempt.
  const before = useRef(start)
  const call = useCallForm({
    endpoint: mediaTexts.update,
    about: path,
    initial: { alt: start },
    isUpdate: true,
    send: async ({ alt }) => {
      const saved = await sendText({ path, alt, before: before.current })
      before.current = saved.alt
      return saved
    },
    onDone: onAnswer,
    onRefused: ({ current }) => {
      const stored = mediaTexts.update.output.safeParse(current)
      if (stored.success) before.current = stored.data.alt
    },
  })
  return (
    <CallForm call={call} confirm="Save" for={mediaTexts.update} onCancel={() => onAnswer(null)}>
      <FilePicture leaf={leaf} box={PREVIEW} size={32} />
      <Textarea
        {...call.field('alt')}
        label="Alternative text"
        description="What the picture shows, for people who can’t see it. Pages and layouts that take the picture start with it."
        maxLength={MOST_ALT}
        autosize
        data-autofocus
      />
    </CallForm>
  )
}
