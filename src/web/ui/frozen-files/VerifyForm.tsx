import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SnapshotCheck } from '#contract/snapshots.ts'
import { useMutation } from '#web/api/mutation.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { FileDrop } from '#web/ui/files/FileDrop.tsx'
import { canHash, hashFile } from './hash-file.ts'

type Props = {
  /** The ID of the frozen file, and what it is: "the approval of Nov 20, 2026". */
  id: string
  name: string
  /** What another frozen file of the same record is; null if it isn't shown. */
  nameOf: (id: string) => string | null
  check: (input: { id: string; sha256?: string }) => Promise<SnapshotCheck>
}

/** Compares a file, or its SHA-256, with what was frozen. The file stays on the device. */
export function VerifyForm({ id, name, nameOf, check }: Props) {
  const [file, setFile] = useState<File | null>(null)
  const [typed, setTyped] = useState('')
  const verify = useMutation<SnapshotCheck & { isGiven: boolean }>({
    mutationFn: async () => {
      const sha256 = file === null ? typed.trim() : await hashFile(file)
      const isGiven = sha256 !== ''
      return { ...(await check({ id, ...(isGiven && { sha256 }) })), isGiven }
    },
  })
  const change = (next: { file: File | null; typed: string }) => {
    setFile(next.file)
    setTyped(next.typed)
    verify.reset()
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        verify.mutate()
      }}
    >
      <Stack gap={16}>
        {canHash() && (
          <FileDrop
            text={`Choose the file to compare with ${name}. It isn't uploaded.`}
            file={file}
            accept=".json"
            isBusy={verify.isPending}
            onTake={(taken) => change({ file: taken, typed: '' })}
          />
        )}
        <TextInput
          label={canHash() ? 'Or its SHA-256' : 'SHA-256 of the file'}
          description="As sha256sum or Get-FileHash prints it. Leave it blank to check the stored file only."
          value={typed}
          onChange={(event) => change({ file: null, typed: event.currentTarget.value })}
          error={verify.error?.fields?.sha256}
          autoComplete="off"
          spellCheck={false}
        />
        <output>
          {verify.data && <Outcome {...verify.data} id={id} name={name} nameOf={nameOf} />}
          {verify.error && !verify.error.fields?.sha256 && (
            <Status tone="bad" mark="cross">
              <bdi>{verify.error.message}</bdi>
            </Status>
          )}
        </output>
        <div className="fc-buttons">
          <Button type="submit" loading={verify.isPending}>
            Verify
          </Button>
        </div>
      </Stack>
    </form>
  )
}

type OutcomeProps = SnapshotCheck & { isGiven: boolean } & Pick<Props, 'id' | 'name' | 'nameOf'>

function Outcome({ isIntact, matchesId, isGiven, id, name, nameOf }: OutcomeProps) {
  if (!isIntact)
    return (
      <Status tone="bad" mark="cross">
        The stored file no longer has its SHA-256, so it was changed outside of the product. Restore it from a
        backup.
      </Status>
    )
  if (!isGiven)
    return (
      <Status tone="good" mark="check">
        The stored file is unchanged.
      </Status>
    )
  if (matchesId === id)
    return (
      <Status tone="good" mark="check">
        <bdi>This file is {name}, byte for byte.</bdi>
      </Status>
    )
  if (matchesId !== null)
    return (
      <Status tone="warn" mark="alert">
        <bdi>
          This file is {nameOf(matchesId) ?? 'an earlier one'}, not {name}.
        </bdi>
      </Status>
    )
  return (
    <Status tone="bad" mark="cross">
      <bdi>This file isn&rsquo;t {name}. It was changed, or it belongs to something else.</bdi>
    </Status>
  )
}
