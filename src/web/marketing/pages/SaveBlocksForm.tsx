import { Select, TextInput } from '@mantine/core'
import type { StoredBlock } from '#contract/marketing/pages/blocks.ts'
import { savedBlocks, type SavedBlocks } from '#contract/marketing/saved-blocks/saved-blocks.ts'
import { send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { nameBlock } from './describe-page-changes.ts'

const addSaved = send(savedBlocks.add)

/** Asks for a name, and saves the first of these blocks, or those up to another one, for reuse. */
export async function saveForReuse(blocks: readonly StoredBlock[]): Promise<void> {
  const saved = await askFor<SavedBlocks>('Save for reuse', (answer) => (
    <SaveBlocksForm blocks={blocks} onAnswer={answer} />
  ))
  if (saved !== null) toast('Saved for reuse', `${saved.name} is under Add block.`)
}

type Props = { blocks: readonly StoredBlock[]; onAnswer: (saved: SavedBlocks | null) => void }

function SaveBlocksForm({ blocks, onAnswer }: Props) {
  const call = useCallForm({
    endpoint: savedBlocks.add,
    about: blocks[0]?.id ?? null,
    initial: { name: '', last: blocks[0]?.id ?? '' },
    check: ({ name }) => (name.trim() === '' ? { name: 'Name is required.' } : {}),
    send: ({ name, last }) =>
      addSaved({ name, blocks: blocks.slice(0, blocks.findIndex(({ id }) => id === last) + 1) }),
    onDone: onAnswer,
  })
  return (
    <CallForm call={call} confirm="Save for reuse" onCancel={() => onAnswer(null)} for={savedBlocks.add}>
      <p>Pages and layouts get copies, which can be changed on their own.</p>
      <TextInput
        {...call.field('name')}
        label="Name"
        required
        maxLength={100}
        data-autofocus
        autoComplete="off"
      />
      {blocks.length > 1 && (
        <Select
          label="Up to and including"
          data={blocks.map((block) => ({ value: block.id, label: nameBlock(block) }))}
          value={call.values.last}
          allowDeselect={false}
          onChange={(last) => last !== null && call.change({ last })}
        />
      )}
    </CallForm>
  )
}
