import { Button, Group, Radio, ScrollArea, Stack, Text } from '@mantine/core'
import { useContext, useState } from 'react'
import type { FileNode } from '#contract/files/files.ts'
import { mediaMoves, TakenNames } from '#contract/files/media-moves.ts'
import { send } from '#web/api/query.ts'
import { useMutation } from '#web/api/mutation.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { useFolder } from '#web/ui/files/media/file-manager.ts'
import { pathSteps } from '#web/ui/files/media/file-format.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { askFor, DialogHold, showError } from '#web/ui/overlay/dialogs.tsx'
import { FolderBranches } from './FolderTree.tsx'
import { showKept } from './show-kept.tsx'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/ScrollArea.layer.css'

const moveFiles = send(mediaMoves.move)
const moveBack = send(mediaMoves.undo)

type Answer = Awaited<ReturnType<typeof moveFiles>> & { to: string }

/** Asks for a folder and moves files and folders into it. Whether any were moved. */
export async function moveItems(items: readonly FileNode[]): Promise<boolean> {
  const [first] = items
  if (first === undefined) return false
  const what = items.length === 1 ? first.name : count(items.length, 'item', 'items')
  const answer = await askFor<Answer>(`Move ${what}`, (done) => (
    <MoveForm paths={items.map(({ path }) => path)} onAnswer={done} />
  ))
  if (answer === null) return false
  const { undo, moved, followed, kept, to } = answer
  if (kept.length > 0) showKept('Some items were not moved', kept)
  if (undo === null) return false
  const follow = followed === 0 ? '' : `, ${count(followed, 'vehicle or page', 'vehicles and pages')} updated`
  offerUndo({
    text: `${moved.length === 1 && items.length === 1 ? what : count(moved.length, 'item', 'items')} moved to ${nameOf(to)}${follow}`,
    undo: async () => {
      const back = await moveBack({ undo })
      if (back.kept.length === 0) toast('Moved back', count(back.moved.length, 'item', 'items'))
      else showKept('Some items were not moved back', back.kept)
    },
  })
  return true
}

const nameOf = (folder: string): string => pathSteps(folder).at(-1)?.name ?? 'Media'
const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

type Props = { paths: readonly string[]; onAnswer: (answer: Answer | null) => void }

/** The folders to choose from; then, which names are taken there, and what happens to those. */
function MoveForm({ paths, onAnswer }: Props) {
  const from = folderOf(paths[0] ?? '')
  const only = paths.every((path) => folderOf(path) === from) ? from : null
  const [to, setTo] = useState<string | null>(null)
  const [taken, setTaken] = useState<readonly string[]>([])
  const hold = useContext(DialogHold)
  const move = useMutation({
    mutationFn: moveFiles,
    onMutate: () => hold?.(true),
    onSettled: () => hold?.(false),
    onSuccess: (answer) => onAnswer({ ...answer, to: to ?? '' }),
    onError: (failure) => {
      const asked = TakenNames.safeParse(failure.preview)
      if (asked.success) setTaken(asked.data)
      else showError(failure)
    },
  })
  const start = (how: 'ask' | 'number' | 'skip') =>
    move.mutate({ paths: [...paths], to: to ?? '', taken: how })
  if (taken.length > 0)
    return (
      <Stack gap={12}>
        <Text fz={13}>
          <bdi>{nameOf(to ?? '')}</bdi>
          {taken.length === 1
            ? ' already has a file or folder with this name:'
            : ` already has ${count(taken.length, 'of these names', 'of these names')}:`}
        </Text>
        <ScrollArea.Autosize mah={200} type="auto">
          <ul>
            {taken.map((path) => (
              <li key={path}>
                <bdi style={{ overflowWrap: 'anywhere' }}>{path.split('/').at(-1)}</bdi>
              </li>
            ))}
          </ul>
        </ScrollArea.Autosize>
        <Group gap={8} justify="flex-end">
          <Button variant="default" disabled={move.isPending} onClick={() => setTaken([])}>
            Choose another folder
          </Button>
          <Button variant="default" loading={move.isPending} onClick={() => start('skip')}>
            {taken.length === 1 ? 'Skip it' : 'Skip these'}
          </Button>
          <Button loading={move.isPending} onClick={() => start('number')} data-autofocus>
            Keep both, with a number
          </Button>
        </Group>
      </Stack>
    )
  return (
    <Stack gap={12}>
      <Text fz={13}>Vehicles, pages and layouts that show these files go on showing them.</Text>
      <Targets value={to} onChange={setTo} current={from} only={only} paths={paths} />
      <Group gap={8} justify="flex-end">
        <Button variant="default" disabled={move.isPending} onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Action
          for={mediaMoves.move}
          lock={to === null ? 'Choose a folder first.' : null}
          loading={move.isPending}
          onClick={() => start('ask')}
        >
          {to === null ? 'Move' : `Move to ${nameOf(to)}`}
        </Action>
      </Group>
    </Stack>
  )
}

type TargetProps = {
  value: string | null
  onChange: (folder: string) => void
  current: string
  /** The folder that all of them are in. */
  only: string | null
  paths: readonly string[]
}

function Targets({ value, onChange, current, only, paths }: TargetProps) {
  const { failure } = useFolder('')
  if (failure)
    return (
      <Text fz={13} c="var(--fc-bad)">
        {failure.message}
      </Text>
    )
  const radio = (path: string, name: string) => (
    <Radio
      value={path === '' ? '/' : path}
      label={
        <>
          <bdi>{name}</bdi>
          {path === only && ' (current folder)'}
        </>
      }
      disabled={path === only || paths.includes(path)}
      py={6}
    />
  )
  return (
    <ScrollArea.Autosize mah={320} type="auto">
      <Radio.Group
        aria-label="Folder to move to"
        value={value === '' ? '/' : (value ?? '')}
        onChange={(path) => onChange(path === '/' ? '' : path)}
      >
        {radio('', 'Media')}
        <FolderBranches
          folder=""
          current={current}
          closed={paths}
          entry={({ path, name }) => radio(path, name)}
        />
      </Radio.Group>
    </ScrollArea.Autosize>
  )
}
