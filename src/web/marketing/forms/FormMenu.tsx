import { ActionIcon, Menu } from '@mantine/core'
import { IconCircleOff, IconDots, IconSend, IconTrash } from '@tabler/icons-react'
import { type Form, forms } from '#contract/marketing/forms/forms.ts'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { closeForm, closeLock, publishForm, publishLock, removeForm, removeLock } from './form-actions.ts'

type Props = {
  form: Form
  /** Leave out publishing: the page has its own button. */
  isOnPage?: boolean
  /** Called with the changed form. */
  onChanged?: (form: Form) => void
  onRemoved?: () => void
}

/** What can be done with a form besides editing it. */
export function FormMenu({ form, isOnPage = false, onChanged, onRemoved }: Props) {
  const report = async (change: Promise<Form | null>) => {
    const changed = await change
    if (changed !== null) onChanged?.(changed)
  }
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon
          className="fc-form-menu"
          variant={isOnPage ? 'default' : 'subtle'}
          size={isOnPage ? 36 : 28}
          aria-label={`More for ${form.name}`}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isOnPage && (
          <ActionItem
            for={forms.publish}
            lock={publishLock(form)}
            leftSection={<IconSend size={16} aria-hidden="true" />}
            onClick={() => void report(publishForm(form))}
          >
            {form.status === 'closed' ? 'Publish and open' : 'Publish'}
          </ActionItem>
        )}
        <ActionItem
          for={forms.close}
          lock={closeLock(form)}
          leftSection={<IconCircleOff size={16} aria-hidden="true" />}
          onClick={() => void report(closeForm(form))}
        >
          Close
        </ActionItem>
        <ActionItem
          for={forms.remove}
          lock={removeLock(form)}
          isDestructive
          leftSection={<IconTrash size={16} aria-hidden="true" />}
          onClick={() => void removeForm(form).then((isRemoved) => isRemoved && onRemoved?.())}
        >
          Delete
        </ActionItem>
      </Menu.Dropdown>
    </Menu>
  )
}
