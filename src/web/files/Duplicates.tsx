import { Button, Checkbox, Group, Stack, Table, Text, Title } from '@mantine/core'
import { IconCopyCheck } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { MAX_DUPLICATES, sameFiles, type SameFiles } from '#contract/files/same-files.ts'
import { call } from '#web/api/client.ts'
import { keyOf, send } from '#web/api/query.ts'
import { useMutation } from '#web/api/mutation.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'
import { showFoundUses } from './MediaUses.tsx'
import { showKept } from './show-kept.tsx'
import '@mantine/core/styles/Table.layer.css'

type Duplicate = SameFiles['files'][number]

const removeFiles = send(sameFiles.remove)
const restoreFiles = send(sameFiles.restore)

const FIRST: string | null = null

/** Media files with the same content, in groups, of which those that nothing uses can be deleted. */
export function Duplicates() {
  const pages = useInfiniteQuery({
    queryKey: [...keyOf(sameFiles.list), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(sameFiles.list, pageParam === null ? {} : { after: pageParam }, { signal }),
    initialPageParam: FIRST,
    getNextPageParam: ({ next }) => next,
  })
  const { error, hasNextPage, isFetchingNextPage } = pages
  const data = pages.data?.pages.flatMap(({ groups }) => groups)
  const load = { endpoint: sameFiles.list, data, error, retry: () => void pages.refetch() }
  return (
    <Loaded query={load} what="the duplicates" shape="spinner">
      {(groups) =>
        groups.length === 0 && !hasNextPage ? (
          <EmptyState
            icon={<IconCopyCheck size={18} />}
            title="No duplicates"
            text="No two files have the same content. Files that weren't uploaded here are compared within six hours."
          />
        ) : (
          <Groups groups={groups}>
            {hasNextPage && (
              <Button
                variant="default"
                loading={isFetchingNextPage}
                onClick={() => void pages.fetchNextPage()}
              >
                Show more
              </Button>
            )}
          </Groups>
        )
      }
    </Loaded>
  )
}

function Groups({ groups, children }: { groups: readonly SameFiles[]; children: ReactNode }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const removal = useMutation({
    mutationFn: removeFiles,
    onError: (failure) => showError(failure),
    onSuccess: (answer) => {
      setChosen(new Set())
      tellResult(answer)
    },
  })
  const choose = (path: string) => {
    const next = new Set(chosen)
    if (!next.delete(path)) next.add(path)
    setChosen(next)
  }
  const spare = groups.flatMap(spareIn).slice(0, MAX_DUPLICATES)
  return (
    <Stack
      component="section"
      aria-label="Duplicates"
      gap={24}
      px="var(--fc-gutter)"
      py={12}
      flex={1}
      miw={0}
      style={{ overflow: 'auto' }}
    >
      <Group gap={8}>
        <Text fz={13} flex="1 1 280px">
          Files with the same content. Those that are used stay, and so does one of each group.
        </Text>
        <Button variant="default" onClick={() => setChosen(new Set(spare))}>
          Select all spare files
        </Button>
        <Action
          for={sameFiles.remove}
          lock={chosen.size === 0 ? 'Select files first.' : null}
          loading={removal.isPending}
          onClick={() => removal.mutate({ paths: [...chosen] })}
        >
          {chosen.size === 0 ? 'Delete selected' : `Delete ${count(chosen.size, 'file', 'files')}`}
        </Action>
      </Group>
      {groups.map((group) => (
        <Duplicated key={group.files[0]?.path} group={group} chosen={chosen} onChoose={choose} />
      ))}
      {children}
    </Stack>
  )
}

/** The unused files of a group; without the oldest one if nothing uses any. */
function spareIn({ files }: SameFiles): string[] {
  const unused = files.filter(({ used }) => used.total === 0)
  const oldest = unused.toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt))[0]
  const stays = unused.length === files.length ? oldest : undefined
  return unused.filter((one) => one !== stays).map(({ path }) => path)
}

function tellResult({ undo, deleted, kept }: Awaited<ReturnType<typeof removeFiles>>): void {
  if (undo !== null)
    offerUndo({
      text: `${count(deleted.length, 'duplicate', 'duplicates')} deleted`,
      undo: async () => {
        const { restored, kept: stayed } = await restoreFiles({ undo })
        if (stayed.length === 0) toast('Files restored', count(restored.length, 'file', 'files'))
        else showKept('Some files were not restored', stayed)
      },
    })
  if (kept.length > 0) showKept('Some files stay', kept)
}

type GroupProps = { group: SameFiles; chosen: ReadonlySet<string>; onChoose: (path: string) => void }

function Duplicated({ group, chosen, onChoose }: GroupProps) {
  const { bytes, total, files } = group
  const left = files.filter(({ path }) => !chosen.has(path)).length + total - files.length
  return (
    <section aria-label={`Duplicates of ${files[0]?.name ?? ''}`}>
      <Title order={2} fz={14}>
        {`${count(total, 'file', 'files')} of ${formatBytes(bytes)}`}
      </Title>
      <Table layout="fixed" withRowBorders>
        <Table.Tbody>
          {files.map((file) => (
            <DuplicateRow
              key={file.path}
              file={file}
              isChosen={chosen.has(file.path)}
              isLast={left === 1 && !chosen.has(file.path)}
              onChoose={() => onChoose(file.path)}
            />
          ))}
        </Table.Tbody>
      </Table>
      {total > files.length && (
        <Text fz={13} c="dimmed">
          {count(total - files.length, 'other file has', 'other files have')} this content.
        </Text>
      )}
    </section>
  )
}

type RowProps = { file: Duplicate; isChosen: boolean; isLast: boolean; onChoose: () => void }

function DuplicateRow({ file, isChosen, isLast, onChoose }: RowProps) {
  const { path, used, updatedAt } = file
  const isUsed = used.total > 0
  const folder = path.split('/').slice(0, -1).join('/')
  return (
    <Table.Tr>
      <Table.Td w={44}>
        <Checkbox
          aria-label={`Select ${path}`}
          checked={isChosen}
          disabled={isUsed || isLast}
          onChange={onChoose}
        />
      </Table.Td>
      <Table.Td>
        <Link
          to="/administration/media"
          search={{ ...(folder !== '' && { folder }), search: file.name }}
          title="Show it in its folder"
        >
          <bdi style={{ overflowWrap: 'anywhere' }}>{path}</bdi>
        </Link>
        <Text fz={12} c="dimmed">
          {isUsed ? `Used by ${count(used.total, 'vehicle or page', 'vehicles and pages')}` : 'Not used'}
          {`, ${formatAgo(updatedAt)}`}
          {isUsed && (
            <>
              {' '}
              <Button variant="subtle" size="compact-xs" onClick={() => showFoundUses(file.name, used)}>
                Where it is used
              </Button>
            </>
          )}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}
