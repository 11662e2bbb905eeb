import { useMutation } from '#web/api/mutation.ts'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CallFailure } from '#web/api/failure.ts'
import { type ProviderMapping, providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { mayLeave } from '#web/ui/form/unsaved.ts'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'

type Props = { mapping: ProviderMapping; onRestored: () => void }

const restoreMapping = send(providerMappings.restore)
const removeMapping = send(providerMappings.remove)

/** Restores earlier versions, exports the mapping and deletes it. */
export function MappingTools({ mapping, onRestored }: Props) {
  const { id, name, version } = mapping
  const navigate = useNavigate()
  const { data: versions = [] } = useQuery(query(providerMappings.versions, { id }))
  const restoring = useMutation({
    mutationFn: restoreMapping,
    onSuccess: (restored) => {
      toast('Version restored', `Saved as version ${restored.version}`)
      queryClient.setQueryData([...keyOf(providerMappings.get), { id }], restored)
      onRestored()
    },
    onError: (failure) => showError(failure),
  })
  const removing = useMutation({ mutationFn: removeMapping })
  async function restore(to: number) {
    if (await mayLeave()) restoring.mutate({ id, version, to })
  }
  async function remove() {
    const done = await askToRemove({
      read: providerMappings.get,
      shown: mapping,
      thing: 'this mapping',
      question: {
        title: `Delete ${name}?`,
        text: "The mapping and all of its versions are deleted, unless a feed source or data mappings use it. Vehicles imported with it stay. This can't be undone.",
        confirm: 'Delete mapping',
      },
      run: (current) => removing.mutateAsync({ id, version: current.version }),
    })
    if (done === null) return
    if (done !== 'gone') toast('Provider mapping deleted', name)
    await navigate({ to: '/administration/provider-mappings', ignoreBlocker: true })
  }
  async function save() {
    try {
      await fetchFile(providerMappings.exportOne, { id }, `Export ${name}`)
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      showError(failure)
    }
  }
  const earlier = versions.filter((one) => one.version !== version).slice(0, 20)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            disabled={earlier.length === 0}
            leftSection={<IconDots size={16} aria-hidden="true" />}
          >
            Versions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {earlier.map((one) => (
            <Menu.Item key={one.version} onClick={() => void restore(one.version)}>
              <bdi>
                Restore version {one.version}: {one.fields} fields, {formatDay(one.at)}
                {one.by === null ? '' : `, ${one.by}`}
              </bdi>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Action for={providerMappings.exportOne} variant="default" onClick={() => void save()}>
        Export
      </Action>
      <Action
        for={providerMappings.remove}
        variant="subtle"
        className="fc-quiet-danger"
        loading={removing.isPending}
        onClick={() => void remove()}
      >
        Delete
      </Action>
    </>
  )
}
