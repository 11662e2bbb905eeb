import { TagsInput, Textarea } from '@mantine/core'
import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'

const addMany = send(shortUrls.addMany)
const NO_CHOICES: string[] = []

/** Adds many short URLs from pasted lines. */
export function AddManyButton() {
  return (
    <Action
      for={shortUrls.addMany}
      variant="default"
      onClick={() => void askFor<true>('Add many short URLs', (answer) => <AddManyForm onAnswer={answer} />)}
    >
      Add many
    </Action>
  )
}

function AddManyForm({ onAnswer }: { onAnswer: (answer: true | null) => void }) {
  const call = useCallForm({
    endpoint: shortUrls.addMany,
    about: null,
    initial: { lines: '', tags: NO_CHOICES },
    check: ({ lines }) => (lines.trim() === '' ? { lines: 'Enter at least one line.' } : {}),
    send: addMany,
    onDone: ({ ids }) => {
      toast(`${count(ids.length, 'short URL', 'short URLs')} added`)
      onAnswer(true)
    },
  })
  return (
    <CallForm call={call} for={shortUrls.addMany} confirm="Add short URLs" onCancel={() => onAnswer(null)}>
      <Textarea
        {...call.field('lines')}
        label="Lines"
        description={
          <bdi>
            One short URL a line: a stock number, a VIN, /f/ with the address of a form, or a web address.
            Then, if you like, a key (or a hyphen) and a name.
          </bdi>
        }
        placeholder={'P41877\nT28413 rav4hy\nhttps://www.example.com/offers offers November offers'}
        required
        data-autofocus
        autosize
        minRows={6}
        maxRows={16}
      />
      <TagsInput
        label="Tags"
        description={<bdi>For all of them. Press Enter after each.</bdi>}
        data={NO_CHOICES}
        value={call.values.tags}
        onChange={(tags) => call.change({ tags })}
        error={call.errors['tags']}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear tags' }}
      />
    </CallForm>
  )
}
