import { Button, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { FileName, FolderName, folderNameOf } from '#contract/files/names.ts'

type Props = {
  kind: 'folder' | 'file'
  start: string
  submit: string
  /** Null if canceled. */
  onAnswer: (name: string | null) => void
}

/** Asks for a name. Previews folder names, in which non-alphanumeric characters become spaces. */
export function NameForm({ kind, start, submit, onAnswer }: Props) {
  const [name, setName] = useState(start)
  const [isTried, setIsTried] = useState(false)
  const read = (kind === 'folder' ? FolderName : FileName).safeParse(name)
  const error = read.success ? null : (read.error.issues[0]?.message ?? 'Enter a valid name.')
  const becomes = kind === 'folder' ? folderNameOf(name) : name
  function decide(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (read.success) onAnswer(read.data)
  }
  return (
    <form className="fc-dialog-form" noValidate onSubmit={decide}>
      <TextInput
        label="Name"
        required
        maxLength={200}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={isTried && error}
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
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">{submit}</Button>
      </div>
    </form>
  )
}
