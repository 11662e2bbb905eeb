import { ActionIcon, Menu } from '@mantine/core'
import { IconCopy, IconDots, IconEdit, IconTrash } from '@tabler/icons-react'
import { type UserTypeChoice, userTypes } from '#contract/identity/user-types/user-types.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import type { TypeDrawerKind } from './TypeDrawer.tsx'

type Props = {
  choice: UserTypeChoice
  onOpen: (kind: TypeDrawerKind) => void
  onRemoved: () => void
}

const removeType = send(userTypes.remove)

function describeViews(names: readonly string[]): string {
  if (names.length === 0) return ''
  const views = names.length === 1 ? 'The saved view' : 'The saved views'
  const verb = names.length === 1 ? 'is' : 'are'
  return `${views} ${new Intl.ListFormat('en').format(names)}, shared with this user type, ${verb} deleted too. `
}

/** Actions for the selected user type. */
export function TypeActions({ choice, onOpen, onRemoved }: Props) {
  const { name, lock } = choice
  const remove = useMutation({ mutationFn: removeType })
  async function confirmRemoval() {
    const done = await askToRemove({
      read: userTypes.get,
      shown: choice,
      thing: 'this user type',
      question: ({ sharedViews }) => ({
        title: `Delete user type ${name}?`,
        text: `It can't be assigned to users anymore. ${describeViews(sharedViews)}You can't undo this.`,
        confirm: 'Delete user type',
      }),
      run: ({ id, version }) => remove.mutateAsync({ id, version }),
      onRefused: (failure) => showError(failure, `${name} can't be deleted`),
    })
    if (done === null) return
    if (done !== 'gone') toast('User type deleted', name)
    onRemoved()
  }
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={`More for ${name}`} loading={remove.isPending}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionItem
            for={userTypes.update}
            lock={lock}
            leftSection={<IconEdit size={16} aria-hidden="true" />}
            onClick={() => onOpen('edit')}
          >
            Edit user type
          </ActionItem>
          <ActionItem
            for={userTypes.add}
            className="fc-only-narrow"
            leftSection={<IconCopy size={16} aria-hidden="true" />}
            onClick={() => onOpen('copy')}
          >
            Duplicate
          </ActionItem>
          <Menu.Divider />
          <ActionItem
            for={userTypes.remove}
            lock={lock}
            isDestructive
            leftSection={<IconTrash size={16} aria-hidden="true" />}
            onClick={() => void confirmRemoval()}
          >
            Delete user type
          </ActionItem>
        </Menu.Dropdown>
      </Menu>
      <span className="fc-only-wide">
        <Action
          for={userTypes.add}
          variant="default"
          onClick={() => onOpen('copy')}
          leftSection={<IconCopy size={16} aria-hidden="true" />}
        >
          Duplicate
        </Action>
      </span>
    </>
  )
}
