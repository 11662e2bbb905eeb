import { TextInput } from '@mantine/core'
import type { FileNode, files } from '#contract/files/files.ts'
import { FileName, FolderName, folderNameOf } from '#contract/files/names.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'

type Props = {
  kind: 'folder' | 'file'
  /** The call that `send` makes, and the path that it is about. */
  endpoint: typeof files.createDirectory | typeof files.rename
  about: string
  start: string
  submit: string
  send: (name: string) => Promise<FileNode>
  /** Null if canceled. */
  onAnswer: (saved: FileNode | null) => void
}

/** Asks for a name. Previews folder names, in which non-alphanumeric characters become spaces. */
export function NameForm({ kind, endpoint, about, start, submit, send, onAnswer }: Props) {
  const read = (name: string) => (kind === 'folder' ? FolderName : FileName).safeParse(name)
  const call = useCallForm({
    endpoint,
    about,
    initial: { name: start },
    check: ({ name }) => {
      const { error } = read(name)
      return error ? { name: error.issues[0]?.message ?? 'Enter a valid name.' } : {}
    },
    send: ({ name }) => send(read(name).data ?? name),
    onDone: onAnswer,
  })
  const { name } = call.values
  const becomes = kind === 'folder' ? folderNameOf(name) : name
  return (
    <CallForm call={call} confirm={submit} onCancel={() => onAnswer(null)}>
      <TextInput
        {...call.field('name')}
        label="Name"
        required
        maxLength={200}
        autoComplete="off"
        data-autofocus
      />
      {kind === 'folder' && (
        <output className="fc-small fc-soft">
          {becomes !== '' && becomes !== name.trim() && (
            <>
              The folder will be named <bdi>{becomes}</bdi>.
            </>
          )}
        </output>
      )}
    </CallForm>
  )
}
